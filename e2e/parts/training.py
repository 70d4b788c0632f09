"""The training pipeline of `model/`: its tests, and a short run over two packages, twice."""

import json
import os
import shutil
import struct
import subprocess
import time
from pathlib import Path

from harness import packages, proxy
from harness.packages import script
from harness.report import Report

MODEL = packages.ROOT / "model"
PLACE = packages.cache() / "data" / "training"
# A catalogue of gettext, and sentences of a voice assistant in many languages.
PACKAGES = "debian adduser\npypi ovos-skill-date-time==1.1.5\n"
DIMENSIONS = 32
STEPS = 150
# The second package has it, in this spelling or another.
QUESTION = "What time is it?"
TOOLS = {"get_time": "Tells what time it is", "set_alarm": "Wakes you up at a time"}


def run(report: Report) -> None:
    if shutil.which("apt-get") is None:
        report.skip("a short run", "packages are fetched with Debian's apt-get")
        return
    tests = _python("-m", "unittest", "discover", "--start-directory", "tests", "--top-level", ".")
    report.check("the unit tests pass", tests.returncode == 0, "exit 0", tests.stderr[-1500:])
    shutil.rmtree(PLACE, ignore_errors=True)
    _lay_out()
    first, second = PLACE / "first", PLACE / "second"
    if not _build(report, "a model is built", first):
        return
    _check_data(report, first)
    _check_losses(report, first)
    _check_model(report, first / "out")
    # All over again, but for the downloads.
    second.mkdir()
    shutil.copytree(first / "downloads", second / "downloads")
    if _build(report, "a model is built again", second):
        files = [(folder / "out" / "model.bin").read_bytes() for folder in (first, second)]
        report.check("the same seed gives the same file", files[0] == files[1])
    again = _command(first)
    report.equal("nothing is done twice", 11, again.stdout.count(": done before"))
    shutil.rmtree(PLACE, ignore_errors=True)


def _lay_out() -> None:
    asked = PLACE / "sets" / "clock"
    asked.mkdir(parents=True)
    (PLACE / "packages.txt").write_text(PACKAGES)
    tools = [{"name": name, "description": text} for name, text in TOOLS.items()]
    _write_lines(asked / "tools.jsonl", tools)
    _write_lines(asked / "queries.jsonl", [{"query": QUESTION, "relevant": ["get_time"]}])


def _build(report: Report, title: str, work: Path) -> bool:
    begun = time.monotonic()
    done = _command(work)
    report.say(f"{work.name} run took {time.monotonic() - begun:.0f} s")
    return report.check(title, done.returncode == 0, "exit 0", (done.stdout + done.stderr)[-1500:])


def _command(work: Path) -> subprocess.CompletedProcess[str]:
    sizes = ["--steps", STEPS, "--dimensions", DIMENSIONS, "--pieces", 800, "--words", 300]
    given = ["--packages", PLACE / "packages.txt", "--exclude", PLACE / "sets"]
    return _python("-m", "toolsearch_model", "build", "--work", work, *given, *sizes)


def _check_data(report: Report, work: Path) -> None:
    found = "".join(path.read_text() for path in (work / "strings").glob("*.tsv")).lower()
    for title, text in {
        "question": "\twhat time is it\t",
        "catalogue": "\tlege neue gruppe",
    }.items():
        report.check(f"the packages have the {title}", text in found, text, f"{len(found)} letters")
    learned = [_plain(line) for line in (work / "merged" / "texts.txt").read_text().splitlines()]
    report.check("much is learned from", len(learned) > 5000, "more than 5000", len(learned))
    report.check("the question isn't", _plain(QUESTION) not in learned)


def _check_losses(report: Report, work: Path) -> None:
    lines = [json.loads(line) for line in (work / "trained.jsonl").read_text().splitlines()]
    first: dict[str, float] = {}
    for line in lines:
        for kind, loss in line["loss"].items():
            first.setdefault(kind, loss)
    for kind, loss in lines[-1]["loss"].items():
        report.check(f"the loss of {kind} falls", loss < first[kind], f"< {first[kind]}", loss)


def _check_model(report: Report, out: Path) -> None:
    file = (out / "model.bin").read_bytes()
    magic, rows, dimensions, bits = struct.unpack_from("<4s3I", file)
    report.equal("the file's head", (b"TSE1", DIMENSIONS, 4), (magic, dimensions, bits))
    pieces = sum(file[16 + 2 * rows : 16 + 3 * rows])
    size = 16 + 3 * rows + pieces + 2 * rows + rows * DIMENSIONS // 2
    report.equal("the file's size is what its head means", size, len(file))
    start = 16 + 3 * rows
    report.equal("the first two pieces", "<unk>\u2581", file[start : start + 8].decode())
    verified = subprocess.run(
        [proxy.binary(), "verify-model", out], capture_output=True, text=True, check=False
    )
    told = f"{rows} pieces, {DIMENSIONS} dimensions"
    report.holds("the program can use its directory", told, verified.stdout + verified.stderr)
    figures = json.loads((out / "report.json").read_text())
    report.equal(
        "the set that was kept out is measured", 1, figures["question sets"]["clock"]["en"]["n"]
    )


def _python(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [script("training", "python"), *(str(argument) for argument in arguments)]
    # Python's own hashes differ from run to run unless one is named; a build must not depend on it.
    named = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    return subprocess.run(
        command,
        cwd=MODEL,
        env=named,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def _plain(text: str) -> str:
    return " ".join("".join(x if x.isalnum() else " " for x in text.lower()).split())


def _write_lines(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

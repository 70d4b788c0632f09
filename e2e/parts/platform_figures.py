"""The figures of a platform of 62 tools: its index, a search over HTTP, and what 50 questions find.

Only of a release build, if `TOOLSEARCH_E2E_BINARY` names one, and only told: times are the machine's
as much as the program's, and what is found is gated by the tests.
"""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from harness import packages, proxy
from harness.mcp import MODERN, Answer, Mcp, send
from harness.process import Process, free_port
from harness.report import Report

DATA = packages.ROOT / "crates" / "eval" / "data"
NAMES = DATA / "platform-tools.txt"
QUESTIONS = DATA / "platform-questions.jsonl"
STARTS = 11
ROUNDS = 20


def run(report: Report) -> None:
    if proxy.NAMED not in os.environ:
        report.skip("index, search, recall", f"{proxy.NAMED} names no release build")
        return
    with tempfile.TemporaryDirectory() as folder:
        tools = Path(folder) / "tools.json"
        tools.write_text(_platform())
        _index(report, tools)
        with _before(tools) as running:
            _searches(report, running)
            _recall(report, running)


def _platform() -> str:
    """Of the company's tools those that are named, as its gateway lists them."""
    # The administrator's port alone says which gateway that is.
    admin = f"127.0.0.1:{free_port()}"
    listen = ["--listen", f"127.0.0.1:{free_port()}", "--admin-listen", admin]
    with Process("company", [proxy.binary(), "demo", *listen]) as demo:
        demo.wait_for_ok(f"http://{admin}/readyz")
        status = json.loads(_status(f"http://{admin}"))
        company = Mcp(status["configured"]["upstream"], MODERN).tools()
    return '{"tools":[' + ",".join(company[name] for name in NAMES.read_text().split()) + "]}"


def _before(tools: Path, *arguments: str) -> proxy.Proxy:
    return proxy.Proxy("platform", ["demo", "--tools", tools, *arguments])


def _status(base: str) -> str:
    return send(f"{base}/mcp/tool-search/status", b"", {}, method="GET").text


def _index(report: Report, tools: Path) -> None:
    starts = [_started(tools) for _ in range(STARTS)]
    milliseconds = statistics.median(status["build_ms"] for status in starts)
    report.say(f"listed and indexed in {milliseconds} ms, median of {STARTS} starts")
    whole = starts[0]["catalog_bytes"]
    vectors = whole - _started(tools, "--embedder", "none")["catalog_bytes"]
    report.say(
        f"{whole / 1000:.0f} KB for the list and its index, {vectors / 1000:.0f} KB of it vectors"
    )


def _started(tools: Path, *arguments: str) -> dict:
    """The status after the demo has looked around, and so listed and indexed its tools."""
    with _before(tools, *arguments) as running:
        running.wait_for_output("Serving on")
        return json.loads(_status(running.base))


def _searches(report: Report, running: proxy.Proxy) -> None:
    running.wait_for_output("Serving on")
    questions = [json.loads(line)["query"] for line in QUESTIONS.read_text().splitlines()]
    answers = [_search(running, query) for query in questions * ROUNDS]
    totals = {json.loads(answer.text)["total"] for answer in answers}
    report.equal("every search is one of 62 tools", {62}, totals)
    times = sorted(answer.seconds * 1000 for answer in answers)
    slow = times[len(times) * 95 // 100]
    report.say(
        f"a search takes {statistics.median(times):.2f} ms over HTTP, one of twenty over "
        f"{slow:.2f} ms; {len(times)} searches, each on a new connection"
    )


def _search(running: proxy.Proxy, query: str) -> Answer:
    body = json.dumps({"query": query, "limit": 10}).encode()
    url = f"http://127.0.0.1:{running.port}/mcp/tool-search"
    return send(url, body, {"Content-Type": "application/json"})


def _recall(report: Report, running: proxy.Proxy) -> None:
    command = ["eval", "--through", running.url, "--queries", QUESTIONS, "--json"]
    done = subprocess.run(
        [proxy.binary(), *command],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    if not report.equal("eval through the running proxy succeeds", 0, done.returncode):
        return
    measured = json.loads(done.stdout)
    for name in ("recall@10", "warned", "doubted"):
        report.say(f"{name} {measured['figures'][name]['value']:.3f}")
    ranks: dict[str, list] = {}
    for answer in measured["answers"]:
        if answer["ranks"]:
            ranks.setdefault(answer["kind"], []).extend(answer["ranks"])
    ranks["all"] = [rank for of_kind in ranks.values() for rank in of_kind]
    for kind, of_kind in ranks.items():
        found = len(of_kind) - of_kind.count(None)
        report.say(f"{kind}: {found} of {len(of_kind)} right tools among the first ten")

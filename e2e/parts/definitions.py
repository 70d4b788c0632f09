"""Definitions for vendors' APIs: of awkward tools, and of other people's if there are any."""

import json
import os
import subprocess
from pathlib import Path

from harness import packages, proxy, rawjson
from harness.packages import script
from harness.report import Report

AWKWARD = packages.ROOT / "e2e" / "upstreams" / "awkward.json"
CHECK = packages.ROOT / "e2e" / "clients" / "definitions.py"
# Of the real ones, which are thousands and each cost a search by name.
EVERY = 20


def run(report: Report) -> None:
    report.part("definitions")
    _check(report, "awkward tools", AWKWARD, _names(AWKWARD))
    folder = os.environ.get("TOOLSEARCH_E2E_TOOLS")
    if not folder:
        report.skip("tools of real servers", "TOOLSEARCH_E2E_TOOLS names no folder of them")
        return
    files = sorted(Path(folder).glob("[!._]*.json"))
    names = [f"{file.stem}__{name}" for file in files for name in _names(file)]
    _check(report, "tools of real servers", Path(folder), names[::EVERY])


def _check(report: Report, what: str, tools: Path, names: list[str]) -> None:
    with proxy.Proxy("definitions", ["demo", "--tools", tools]) as running:
        running.wait_for_output("Serving on", seconds=120)
        done = subprocess.run(
            [script("definitions", "python"), CHECK, running.url, *names],
            capture_output=True,
            text=True,
            timeout=300,
            stdin=subprocess.DEVNULL,
        )
    ended = report.check(f"{what} are checked", done.returncode == 0, "no exception", done.stderr)
    if ended:
        title = f"{len(names)} {what} keep the rules of three APIs"
        report.none(title, json.loads(done.stdout))


def _names(file: Path) -> list[str]:
    """The tools that a model is shown."""
    names = []
    for text in rawjson.elements(rawjson.members(file.read_text())["tools"]):
        tool = json.loads(text)
        visibility = tool.get("_meta", {}).get("ui", {}).get("visibility")
        if visibility != ["app"]:
            names.append(tool["name"])
    return names

"""A folder of other people's tool lists, if `TOOLSEARCH_E2E_TOOLS` names one."""

import json
import os
import urllib.request
from pathlib import Path

from harness import proxy, rawjson
from harness.mcp import MODERN, Mcp
from harness.report import Report
from parts.gateways import check_descriptions, check_search


def run(report: Report) -> None:
    folder = os.environ.get("TOOLSEARCH_E2E_TOOLS")
    if not folder:
        report.skip("tools of real servers", "TOOLSEARCH_E2E_TOOLS names no folder of them")
        return
    tools = _read(Path(folder))
    with proxy.Proxy("real-data", ["demo", "--tools", folder]) as running:
        report.part("real data")
        # The demo has looked around by then, and so listed and indexed its tools.
        running.wait_for_output("Serving on", seconds=120)
        with urllib.request.urlopen(f"{running.url}/tool-search/status") as status:
            report.say(f"listed and indexed in {json.load(status)['build_ms']} ms")
        through = Mcp(running.url, MODERN)
        answer = through.call("search_tools", {"query": "create an issue"})
        report.say(f"{len(tools)} tools searched in {answer.seconds * 1000:.1f} ms")
        check_search(report, through, tools)
        check_descriptions(report, through, tools)


def _read(folder: Path) -> dict[str, str]:
    """The tools of every dump, under the names that `--tools` gives them.

    A tool for the host's user interface alone (MCP Apps) isn't shown to a model.
    """
    found: dict[str, str] = {}
    for path in sorted(folder.glob("[!._]*.json")):
        for tool in rawjson.elements(rawjson.members(path.read_text())["tools"]):
            view = json.loads(tool)
            visibility = view.get("_meta", {}).get("ui", {}).get("visibility")
            if visibility != ["app"]:
                found.setdefault(f"{path.stem}__{view['name']}", tool)
    return found

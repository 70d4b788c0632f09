"""A folder of other people's tool lists, if `TOOLSEARCH_E2E_TOOLS` names one."""

import json
import os
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
        # A caller of its own, so that nothing is listed yet.
        through = Mcp(running.url, MODERN, token="e2e-token")
        for state in ("listed, indexed and searched", "searched again"):
            answer = through.call("search_tools", {"query": "create an issue"})
            total = json.loads(answer.result())["structuredContent"]["total"]
            report.say(f"{total} tools {state} in {answer.seconds * 1000:.1f} ms")
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

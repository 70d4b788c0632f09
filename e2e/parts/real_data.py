"""A folder of other people's tool lists, if `TOOLSEARCH_E2E_TOOLS` names one."""

import json
import os

from harness import proxy
from harness.mcp import MODERN, Mcp
from harness.process import free_port
from harness.report import Report
from parts.gateways import check_descriptions, check_search


def run(report: Report) -> None:
    folder = os.environ.get("TOOLSEARCH_E2E_TOOLS")
    if not folder:
        report.skip("tools of real servers", "TOOLSEARCH_E2E_TOOLS names no folder of them")
        return
    gateway = free_port()
    arguments = ["demo", "--tools", folder, "--gateway-listen", f"127.0.0.1:{gateway}"]
    with proxy.Proxy("real-data", arguments) as running:
        report.part("real data")
        through = Mcp(running.url, MODERN)
        first = through.call("search_tools", {"query": "create an issue"})
        total = json.loads(first.result())["structuredContent"]["total"]
        report.say(f"{total} tools listed, indexed and searched in {first.seconds:.2f} s")
        again = through.call("search_tools", {"query": "create an issue"})
        report.say(f"the next search took {again.seconds * 1000:.1f} ms")
        tools = Mcp(f"http://localhost:{gateway}/mcp", MODERN).tools()
        check_search(report, through, tools)
        check_descriptions(report, through, tools)

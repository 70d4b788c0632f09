"""The commands of the README and of docs/routers.md as printed, but for the port, a free one."""

import json
import re
import subprocess
from dataclasses import dataclass

from harness import packages
from harness.process import Process, free_port
from harness.report import Report

ADDRESS = "127.0.0.1:8080"
START = "demo"
# What must stand in the output of each other block.
README = {
    "search": ['"total":', '"name":"invoices__list_overdue_invoices"', '"inputSchema":'],
    "call": ['"content":', "INV-"],
}
ROUTERS = {
    "plain-search": ['"mode":"hybrid"', '"name":"invoices__list_overdue_invoices"', '"score":'],
    "plain-definitions": [
        '"calledAs":"invoices__list_overdue_invoices"',
        '"definitions":[{"type":"function","function":{"name":"',
    ],
    "plain-call": ['"content":', "INV-"],
    "plain-prompt": ['"name":"hand_over_shift"', '"prompt":{', "Vilnius"],
}


@dataclass
class Block:
    """A command block of a document."""

    name: str
    commands: str


def run(report: Report) -> None:
    report.part("readme")
    readme = _blocks("README.md")
    routers = _blocks("docs/routers.md")
    for expected, found in (({START, *README}, readme), (set(ROUTERS), routers)):
        report.equal("every block marked as tested is run", expected, set(found))
    address = f"127.0.0.1:{free_port()}"
    start = ["bash", "-c", readme[START].commands]
    with Process("readme-demo", start, {"TOOLSEARCH_LISTEN": address}) as demo:
        demo.wait_for_output(f"Serving on http://{address}/mcp", seconds=600)
        for name, fragments in {**README, **ROUTERS}.items():
            commands = {**readme, **routers}[name].commands
            output = _output(commands.replace(ADDRESS, address))
            for fragment in fragments:
                report.holds(f"the {name} block gives {fragment}", fragment, output)
    report.holds("the demo shows a search of its own", 'search_tools "', demo.output())


def _blocks(document: str) -> dict[str, Block]:
    text = (packages.ROOT / document).read_text()
    found = re.findall(r"<!-- tested: (\S+) -->\n```sh\n(.*?)```", text, re.DOTALL)
    return {name: Block(name, commands) for name, commands in found}


def _output(commands: str) -> str:
    done = subprocess.run(
        ["bash", "-c", commands],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=packages.ROOT,
        stdin=subprocess.DEVNULL,
    )
    try:
        # Compact, as the fragments are written.
        return json.dumps(json.loads(done.stdout), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return done.stdout + done.stderr

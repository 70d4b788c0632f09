"""The README's commands as printed, but for the port, which is a free one."""

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
EXPECTED = {
    "search": ['"total":', '"name":"invoices__list_overdue_invoices"', '"inputSchema":'],
    "call": ['"content":', "INV-"],
}


@dataclass
class Block:
    """A command block of the README."""

    name: str
    commands: str


def run(report: Report) -> None:
    report.part("readme")
    blocks = {block.name: block for block in _blocks()}
    report.equal("every block marked as tested is run", {START, *EXPECTED}, set(blocks))
    address = f"127.0.0.1:{free_port()}"
    start = ["bash", "-c", blocks[START].commands]
    with Process("readme-demo", start, {"TOOLSEARCH_LISTEN": address}) as demo:
        demo.wait_for_output(f"Serving on http://{address}/mcp", seconds=600)
        for name, fragments in EXPECTED.items():
            output = _output(blocks[name].commands.replace(ADDRESS, address))
            for fragment in fragments:
                report.holds(f"the {name} block gives {fragment}", fragment, output)
    report.holds("the demo shows a search of its own", 'search_tools "', demo.output())


def _blocks() -> list[Block]:
    text = (packages.ROOT / "README.md").read_text()
    found = re.findall(r"<!-- tested: (\S+) -->\n```sh\n(.*?)```", text, re.DOTALL)
    return [Block(name, commands) for name, commands in found]


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

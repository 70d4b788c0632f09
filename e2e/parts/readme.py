"""The commands of documents as printed, but for the port, a free one."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness import packages, proxy
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
# In the order of docs/evaluate.md, each after those before it.
EVALUATE = {
    "lint": "findings: 0",
    "questions": "",
    "measure": "4 questions to 500 tools",
    "gate": "4 questions to 500 tools",
    "compare": "4 questions before",
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
    _evaluate(report)


def _evaluate(report: Report) -> None:
    blocks = _blocks("docs/evaluate.md")
    report.equal("every block of the walk-through is run", list(EVALUATE), list(blocks))
    path = f"{proxy.binary().resolve().parent}:{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        for name, fragment in EVALUATE.items():
            done = _run(blocks[name].commands, Path(folder), {**os.environ, "PATH": path})
            output = done.stdout + done.stderr
            report.check(f"the {name} block succeeds", done.returncode == 0, 0, output)
            if fragment:
                report.holds(f"the {name} block gives {fragment}", fragment, output)


def _blocks(document: str) -> dict[str, Block]:
    text = (packages.ROOT / document).read_text()
    found = re.findall(r"<!-- tested: (\S+) -->\n```sh\n(.*?)```", text, re.DOTALL)
    return {name: Block(name, commands) for name, commands in found}


def _run(
    commands: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", commands],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
    )


def _output(commands: str) -> str:
    done = _run(commands, packages.ROOT, dict(os.environ))
    try:
        # Compact, as the fragments are written.
        return json.dumps(json.loads(done.stdout), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return done.stdout + done.stderr

"""Templates, pins and the audit log before a real server with prompts of its own."""

import json
import shutil
import signal
import stat
import time
import urllib.request
from pathlib import Path

from harness import gateways, packages, proxy, rawjson
from harness.mcp import LEGACY, MODERN, Mcp, send
from harness.report import Report

# One of the upstream's prompts, whose name a template takes in vain.
TAKEN = "simple-prompt"
TEMPLATES = f"""
pin = ["echo"]

[templates.adding]
description = "Adds what there is to add."
tools = ["get-sum", "no-such-tool"]

[templates.{TAKEN}]
tools = ["echo"]
"""
JSON = {"Content-Type": "application/json"}


def run(report: Report) -> None:
    report.part("curation")
    folder = packages.cache() / "curation"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    templates = folder / "templates.toml"
    templates.write_text(TEMPLATES)
    audit = folder / "audit.jsonl"
    with gateways.everything() as upstream:
        theirs = _prompts(Mcp(upstream.url, LEGACY).connect())
        flags = ["--templates", str(templates), "--audit-log", str(audit)]
        with proxy.before("curation", upstream.url, *flags) as running:
            for version in (LEGACY, MODERN):
                _check_prompts(report, Mcp(running.url, version).connect(), theirs)
            _check_programs(report, running.base)
            _check_reload(report, running, templates)
            _check_audit(report, running.base, audit)


def _check_prompts(report: Report, caller: Mcp, theirs: dict[str, str]) -> None:
    version = caller.version
    listed = _prompts(caller)
    report.equal(f"{version}: templates follow", [*theirs, "adding"], list(listed))
    kept = {name: listed.get(name) for name in theirs}
    report.equal(f"{version}: the upstream's prompts keep their bytes", theirs, kept)
    got = caller.request("prompts/get", {"name": "adding"}).result()
    report.holds(f"{version}: a template has its tools", "get-sum", got)
    taken = caller.request("prompts/get", {"name": TAKEN}).result()
    report.check(f"{version}: the upstream's wins", "echo" not in taken, "no `echo`", taken)


def _check_programs(report: Report, base: str) -> None:
    with urllib.request.urlopen(f"{base}/mcp/prompts/adding", timeout=30) as answer:
        page = json.load(answer)
    report.equal("a page has the set", ["get-sum"], [tool["name"] for tool in page["tools"]])
    report.equal("and says that one is missing", 1, page["missing"])
    body = {"prompt": "adding", "query": "environment variables", "limit": 1}
    answer = send(f"{base}/mcp/tool-search", json.dumps(body).encode(), JSON).json()
    names = [tool["name"] for tool in answer["tools"]]
    report.equal("a search has set, hit and pin", ["get-sum", "get-env", "echo"], names)


def _check_reload(report: Report, running: proxy.Proxy, templates: Path) -> None:
    # An empty file is taken for one that is being written.
    for text, count, failed in (("", 2, True), ("pin = []", 0, False), ("pin = 7", 0, True)):
        templates.write_text(text)
        running.signal(signal.SIGHUP)
        got = None
        for _ in range(100):
            with urllib.request.urlopen(f"{running.url}/tool-search/status", timeout=5) as answer:
                named = json.load(answer)["named_tools"]
            got = (named["templates"], named["last_error"] is not None)
            if got == (count, failed):
                break
            time.sleep(0.05)
        report.equal(f"SIGHUP after `{text}`", (count, failed), got)


def _check_audit(report: Report, base: str, audit: Path) -> None:
    report.equal("the audit log has the search", ["environment variables"], _queries(audit))
    report.equal("only its owner may read it", "0o600", oct(stat.S_IMODE(audit.stat().st_mode)))
    audit.rename(audit.with_suffix(".moved"))
    send(f"{base}/mcp/tool-search", b'{"query": "sums"}', JSON)
    report.equal("what is moved away is begun anew", ["sums"], _queries(audit))


def _queries(audit: Path) -> list[str]:
    """Those that were written, as soon as there are any."""
    for _ in range(100):
        if audit.exists() and audit.read_text().endswith("\n"):
            break
        time.sleep(0.05)
    return [json.loads(line)["query"] for line in audit.read_text().splitlines()]


def _prompts(caller: Mcp) -> dict[str, str]:
    """Name to the prompt as it was spelt."""
    listed = rawjson.members(caller.request("prompts/list").result())["prompts"]
    return {json.loads(prompt)["name"]: prompt for prompt in rawjson.elements(listed)}

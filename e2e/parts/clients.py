"""Real clients before a real upstream: each lists, searches, describes, reads, batches, writes."""

import json
import os
import subprocess
from dataclasses import dataclass

from harness import gateways, inspector, packages, proxy
from harness.packages import node, script
from harness.report import Report
from parts.gateways import FIVE, TOKYO

SCRIPTS = packages.ROOT / "e2e" / "clients"


@dataclass
class Client:
    """A client library in one of its modes, and the revision that it must end up speaking."""

    name: str
    command: list
    mode: str
    version: str | None


def run(report: Report) -> None:
    with gateways.aggregate() as upstream, proxy.before("clients", upstream.url) as running:
        for client in _clients():
            report.part(f"{client.name} {client.mode}".rstrip("- "))
            calls = _calls(f"{client.name} {client.mode}")
            command = [*client.command, running.url, client.mode, json.dumps(calls)]
            _check(report, client.version, calls, _run(command))
        for era in ("legacy", "modern"):
            report.part(f"inspector {era}")
            calls = _calls(f"inspector {era}")
            _check(report, None, calls, inspector.session(running.url, era, calls))


def _clients() -> list[Client]:
    v1 = [script("py-v1", "python"), SCRIPTS / "mcp_v1.py"]
    v2 = [script("py-v2", "python"), SCRIPTS / "mcp_v2.py"]
    fastmcp = [script("fastmcp", "python"), SCRIPTS / "fastmcp_v4.py"]
    npm = packages.cache() / "npm"
    ts_v1 = [node(), SCRIPTS / "ts_v1.mjs", npm / "ts-v1"]
    ts_v2 = [node(), SCRIPTS / "ts_v2.mjs", npm / "ts-v2"]
    return [
        Client("mcp 1.30.0", v1, "-", "2025-11-25"),
        Client("mcp 2.3.0", v2, "auto", "2026-07-28"),
        Client("mcp 2.3.0", v2, "legacy", "2025-11-25"),
        Client("mcp 2.3.0", v2, "2026-07-28", "2026-07-28"),
        Client("fastmcp 4.2.3", fastmcp, "-", None),
        Client("@modelcontextprotocol/sdk 1.32.2", ts_v1, "-", "2025-11-25"),
        Client("@modelcontextprotocol/client 2.4.0", ts_v2, "default", "2025-11-25"),
        Client("@modelcontextprotocol/client 2.4.0", ts_v2, "auto", "2026-07-28"),
        Client("@modelcontextprotocol/client 2.4.0", ts_v2, "pin", "2026-07-28"),
        Client("@modelcontextprotocol/client 2.4.0", ts_v2, "legacy", "2025-11-25"),
    ]


def _calls(entity: str) -> list[dict]:
    """What every client does, in this order; what it writes carries its own name."""
    note = str(gateways.PLACE / "notes.txt")
    read = {"name": "filesystem_read_text_file", "arguments": {"path": note}}
    convert = {"name": "time_convert_time", "arguments": TOKYO}
    status = {"name": "git_git_status", "arguments": {"repo_path": str(gateways.PLACE)}}
    entities = [{"name": entity, "entityType": "client", "observations": ["was here"]}]
    write = {"name": "memory_create_entities", "arguments": {"entities": entities}}
    reread = {"name": "memory_open_nodes", "arguments": {"names": [entity]}}
    return [
        {"name": "search_tools", "arguments": {"query": "read the text of a file"}},
        {"name": "describe_tool", "arguments": {"names": [read["name"], "no_such_tool"]}},
        {"name": "call_read_tool", "arguments": read},
        {"name": "call_read_tools", "arguments": {"calls": [convert, status, write]}},
        {"name": "call_write_tool", "arguments": write},
        {"name": "call_read_tool", "arguments": reread},
        {"name": "call_read_tool", "arguments": write},
    ]


def _check(report: Report, version: str | None, calls: list[dict], seen: dict) -> None:
    if version:
        report.equal("speaks the revision it should", version, seen["version"])
    report.equal("lists the five tools", FIVE, seen["tools"])
    search, describe, read, batch, write, reread, refused = seen["results"]
    entity = calls[4]["arguments"]["arguments"]["entities"][0]["name"]

    found = search["structuredContent"]
    report.equal("search: all tools are known", 37, found["total"])
    names = [tool["name"] for tool in found["tools"]]
    report.check("search: finds the tool", "filesystem_read_text_file" in names, "it", names)
    report.equal("search: both halves say the same", found, json.loads(_text(search)))

    described = describe["structuredContent"]
    report.holds("describe: gives the schema", '"path"', json.dumps(described["tools"][0]))
    report.equal("describe: names what it doesn't know", ["no_such_tool"], described["unknown"])

    report.holds("read: gives the file", "ąčę 法令 🙀", _text(read))
    report.check("batch: isn't refused", not batch.get("isError"), "answers", batch)
    report.holds("batch: gives the first answer", "Asia/Tokyo", _text(batch))
    report.holds("batch: gives the second answer", "On branch", _text(batch))
    report.holds("batch: refuses the write among them", "call_write_tool", _text(batch))
    report.check("write: succeeds", not write.get("isError"), "no error", write)
    report.holds("write: was done, once", f'"name": "{entity}"', _text(reread))
    report.equal("a write through call_read_tool is an error", True, refused.get("isError"))
    report.holds("and names the tool to use", "call_write_tool", _text(refused))


def _text(result: dict) -> str:
    return "\n".join(block.get("text", "") for block in result["content"])


def _run(command: list) -> dict:
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "NO_COLOR": "1"},
    )
    if done.returncode != 0:
        raise RuntimeError(f"{command[1]} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])

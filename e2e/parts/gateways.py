"""Real upstreams: every tool is found, described byte for byte, and called through."""

import json
from dataclasses import dataclass
from pathlib import Path

from harness import gateways, proxy, rawjson
from harness.mcp import LEGACY, MODERN, Mcp
from harness.report import Report

FIVE = ["search_tools", "describe_tool", "call_read_tool", "call_read_tools", "call_write_tool"]


@dataclass
class Call:
    """A tool of the upstream, how to call it, and by which of the five."""

    dispatcher: str
    tool: str
    arguments: dict


def run(report: Report) -> None:
    with gateways.everything() as upstream:
        _check(report, upstream, LEGACY, EVERYTHING)
    with gateways.aggregate() as upstream:
        _check(report, upstream, MODERN, _aggregate_calls(gateways.PLACE))
    with gateways.context7() as upstream:
        _check(report, upstream, MODERN, CONTEXT7)


def _check(report: Report, upstream: gateways.Gateway, era: str, calls: list[Call]) -> None:
    """`era` is the one that the upstream prefers, and so the one between it and the proxy."""
    direct = Mcp(upstream.url, era, token="e2e-token").connect()
    tools = direct.tools()
    with proxy.before(upstream.name, upstream.url) as running:
        for version in (era, LEGACY if era == MODERN else MODERN):
            report.part(f"{upstream.name}, a caller of {version}")
            through = Mcp(running.url, version, token="e2e-token").connect()
            report.equal("the five tools are listed", FIVE, list(through.tools()))
            check_search(report, through, tools)
            check_descriptions(report, through, tools)
            for call in calls:
                _check_call(report, direct, through, call)


def check_search(report: Report, through: Mcp, tools: dict[str, str]) -> None:
    """Each tool is the first hit for its own name."""
    names = list(tools)
    missed = []
    total = None
    for chunk in _chunks(names, 5):
        arguments = {"queries": chunk, "limit": 1, "schemas": False}
        answer = through.structured("search_tools", arguments)
        total = json.loads(answer["total"])
        for name, result in zip(chunk, json.loads(answer["results"]), strict=True):
            first = [tool["name"] for tool in result["tools"][:1]]
            if first != [name]:
                missed.append((name, first))
    report.equal("as many tools as the upstream lists", len(names), total)
    report.none("each tool is the first hit for its own name", missed)


def check_descriptions(report: Report, through: Mcp, tools: dict[str, str]) -> None:
    """describe_tool gives back what the upstream listed, byte for byte."""
    wrong = []
    for chunk in _chunks(list(tools), 10):
        for name, got in _described(through, chunk).items():
            wanted = rawjson.members(tools[name])
            for member in ("description", "inputSchema", "outputSchema", "annotations"):
                if wanted.get(member, "null") != got.get(member, "null"):
                    wrong.append((name, member, wanted.get(member), got.get(member)))
    report.none("each tool is described byte for byte", wrong)


def _described(through: Mcp, names: list[str]) -> dict[str, dict[str, str]]:
    """The tools of one answer; those that it had no room for are asked for one by one."""
    answer = through.structured("describe_tool", {"names": names})
    found = [rawjson.members(tool) for tool in rawjson.elements(answer["tools"])]
    for name in json.loads(answer.get("omitted", "[]")):
        alone = through.structured("describe_tool", {"names": [name]})
        found += [rawjson.members(tool) for tool in rawjson.elements(alone["tools"])]
    described = {json.loads(tool["name"]): tool for tool in found}
    if list(described) != names and set(described) != set(names):
        raise RuntimeError(f"asked for {names}, described {list(described)}")
    return described


def _check_call(report: Report, direct: Mcp, through: Mcp, call: Call) -> None:
    """The result through the proxy is the direct one, byte for byte.

    Across eras the envelope differs by the protocol's rules, and the substance is compared.
    """
    wanted = direct.call(call.tool, call.arguments).result()
    inner = {"name": call.tool, "arguments": call.arguments}
    got = through.call(call.dispatcher, inner).result()
    if direct.version != through.version:
        wanted, got = _substance(wanted), _substance(got)
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    title = f"{call.dispatcher} of {call.tool} {arguments[-40:]} gives the upstream's bytes"
    report.equal(title, wanted, got)


def _substance(result: str) -> dict[str, str]:
    envelope = ("resultType", "_meta")
    return {key: text for key, text in rawjson.members(result).items() if key not in envelope}


def _chunks(names: list[str], size: int) -> list[list[str]]:
    return [names[at : at + size] for at in range(0, len(names), size)]


def _aggregate_calls(place: Path) -> list[Call]:
    note = str(place / "written.txt")
    return [
        Call("call_read_tool", "filesystem_read_text_file", {"path": str(place / "notes.txt")}),
        Call("call_read_tool", "git_git_log", {"repo_path": str(place), "max_count": 1}),
        Call("call_read_tool", "time_convert_time", TOKYO),
        # An `isError` result.
        Call("call_read_tool", "filesystem_read_text_file", {"path": "missing"}),
        Call("call_write_tool", "filesystem_write_file", {"path": note, "content": "ąčę\n"}),
        Call("call_write_tool", "memory_delete_entities", {"entityNames": ["nobody"]}),
        Call("call_read_tool", "memory_read_graph", {}),
    ]


TOKYO = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
EVERYTHING = [
    Call("call_read_tool", "echo", {"message": "ąčę 法令 🙀"}),
    Call("call_read_tool", "get-sum", {"a": 2, "b": 3.50}),
    Call("call_read_tool", "get-tiny-image", {}),
    Call("call_read_tool", "get-structured-content", {"location": "New York"}),
    Call("call_read_tool", "get-resource-links", {"count": 2}),
    Call("call_read_tool", "get-annotated-message", {"messageType": "error", "includeImage": True}),
    Call("call_write_tool", "echo", {"message": "a read, called as a write"}),
    Call("call_write_tool", "gzip-file-as-resource", {"name": "a.gz", "data": "data:text/plain,a"}),
]
CONTEXT7 = [
    Call("call_read_tool", "resolve-library-id", {"query": "routing", "libraryName": "axum"}),
    Call("call_read_tool", "query-docs", {"libraryId": "/tokio-rs/axum", "query": "routing"}),
]

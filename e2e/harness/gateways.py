"""The real upstreams, each with data of its own to read and write."""

import json
import shutil
import subprocess
import sys

from harness import packages
from harness.packages import module, node, script
from harness.process import Process, free_port


class Gateway(Process):
    """A server that answers at `url`."""

    def __init__(self, name: str, command: list, port: int, env: dict | None = None):
        super().__init__(name, command, env)
        self._port = port
        self.url = f"http://localhost:{port}/mcp"

    def __enter__(self) -> "Gateway":
        try:
            self.wait_for_port(self._port)
        except BaseException:
            self.stop()
            raise
        return self


# What the aggregate's file and git servers may read and write.
PLACE = packages.cache() / "data" / "workspace"


def everything() -> Gateway:
    """The reference server: legacy, with sessions."""
    port = free_port()
    main = module("servers", "@modelcontextprotocol/server-everything/dist/index.js")
    command = [node(), main, "streamableHttp"]
    return Gateway("everything", command, port, {"PORT": str(port)})


def context7() -> Gateway:
    """A documentation server without sessions, cut off from its service: its calls say so."""
    port = free_port()
    nowhere = {"CONTEXT7_API_URL": "http://127.0.0.1:9"}
    main = module("context7", "@upstash/context7-mcp/dist/index.js")
    command = [node(), main, "--transport", "http", "--port", port]
    return Gateway("context7", command, port, nowhere)


def aggregate() -> Gateway:
    """Four stdio servers behind one endpoint of both eras, over the files in `PLACE`."""
    port = free_port()
    _lay_out_place()
    servers = packages.cache() / "npm" / "servers" / "node_modules" / "@modelcontextprotocol"
    memory = {"MEMORY_FILE_PATH": str(PLACE.parent / "memory.jsonl")}
    commands = {
        "filesystem": [str(node()), str(servers / "server-filesystem/dist/index.js"), str(PLACE)],
        "memory": _with_env(memory, [node(), servers / "server-memory/dist/index.js"]),
        "git": [str(script("git", "mcp-server-git")), "--repository", str(PLACE)],
        "time": [str(script("time", "mcp-server-time")), "--local-timezone", "UTC"],
    }
    main = packages.ROOT / "e2e" / "upstreams" / "aggregate.py"
    named = [f"{name}={json.dumps(command)}" for name, command in commands.items()]
    return Gateway("aggregate", [script("fastmcp", "python"), main, port, *named], port)


def guarded(token: str) -> Gateway:
    """A made-up server that answers only callers with `token`, and one tool of which hangs."""
    port = free_port()
    main = packages.ROOT / "e2e" / "upstreams" / "guarded.py"
    return Gateway("guarded", [sys.executable, main, port, token], port)


def thousand() -> Gateway:
    """A made-up server with 1,000 tools."""
    port = free_port()
    main = packages.ROOT / "e2e" / "upstreams" / "thousand.py"
    return Gateway("thousand", [sys.executable, main, port, 1000], port)


def _lay_out_place() -> None:
    """A small git repository, made anew."""
    shutil.rmtree(PLACE.parent, ignore_errors=True)
    PLACE.mkdir(parents=True)
    (PLACE / "notes.txt").write_text("first line\nąčę 法令 🙀\n")
    who = ["-c", "user.name=e2e", "-c", "user.email=e2e@example.com"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "Add the notes"]):
        subprocess.run(["git", "-C", PLACE, *command], check=True, stdin=subprocess.DEVNULL)


def _with_env(env: dict[str, str], command: list) -> list[str]:
    pairs = [f"{name}={value}" for name, value in env.items()]
    return ["env", *pairs, *(str(part) for part in command)]

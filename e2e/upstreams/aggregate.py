"""A gateway out of stdio servers: aggregate.py PORT NAME=JSON-COMMAND... over streamable HTTP.

Each server runs once and for as long as the gateway; its tools are listed as NAME_tool.
"""

import asyncio
import contextlib
import json
import sys

from fastmcp import Client, FastMCP
from fastmcp.server import create_proxy


async def main(port: int, servers: dict[str, list[str]]) -> None:
    gateway = FastMCP("aggregate", instructions="Files, memory, git and time of one test machine.")
    async with contextlib.AsyncExitStack() as stack:
        for name, (program, *arguments) in servers.items():
            config = {"mcpServers": {name: {"command": program, "args": arguments}}}
            client = await stack.enter_async_context(Client(config))
            gateway.mount(create_proxy(client, name=name), namespace=name)
        await gateway.run_async(
            transport="http", host="127.0.0.1", port=port, path="/mcp", show_banner=False
        )


named = (argument.split("=", 1) for argument in sys.argv[2:])
asyncio.run(main(int(sys.argv[1]), {name: json.loads(command) for name, command in named}))

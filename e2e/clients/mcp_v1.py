"""PyPI mcp 1.x: mcp_v1.py URL MODE CALLS. Lists, calls, prints what came back."""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def main(url: str, calls: list[dict]) -> None:
    headers = {"Authorization": "Bearer e2e-token"}
    async with streamablehttp_client(url, headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            hello = await session.initialize()
            tools = await session.list_tools()
            results = [await session.call_tool(call["name"], call["arguments"]) for call in calls]
    seen = {
        "version": hello.protocolVersion,
        "instructions": hello.instructions,
        "tools": [tool.name for tool in tools.tools],
        "results": [result.model_dump(mode="json", by_alias=True) for result in results],
    }
    print(json.dumps(seen))


asyncio.run(main(sys.argv[1], json.loads(sys.argv[3])))

"""PyPI fastmcp 4.x: fastmcp_v4.py URL MODE CALLS."""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport


async def main(url: str, calls: list[dict]) -> None:
    headers = {"Authorization": "Bearer e2e-token"}
    async with Client(StreamableHttpTransport(url, headers=headers)) as client:
        tools = await client.list_tools()
        # The raw form: `call_tool` would turn `isError` into an exception and drop one half.
        results = [await client.call_tool_mcp(call["name"], call["arguments"]) for call in calls]
    seen = {
        "version": None,
        "instructions": None,
        "tools": [tool.name for tool in tools],
        "results": [result.model_dump(mode="json", by_alias=True) for result in results],
    }
    print(json.dumps(seen))


asyncio.run(main(sys.argv[1], json.loads(sys.argv[3])))

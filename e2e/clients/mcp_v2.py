"""PyPI mcp 2.x: mcp_v2.py URL MODE CALLS, MODE being auto, legacy or a modern revision."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, mode: str, calls: list[dict]) -> None:
    headers = {"Authorization": "Bearer e2e-token"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode) as client:
            tools = await client.list_tools()
            results = [await client.call_tool(call["name"], call["arguments"]) for call in calls]
            seen = {
                "version": client.protocol_version,
                "instructions": getattr(client, "instructions", None),
                "tools": [tool.name for tool in tools.tools],
                "results": [result.model_dump(mode="json", by_alias=True) for result in results],
            }
    print(json.dumps(seen))


asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))

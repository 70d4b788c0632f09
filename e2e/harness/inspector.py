"""The MCP Inspector's command line, as one more client: one process a request."""

import json
import os
import subprocess

from harness import packages
from harness.packages import module, node


def session(url: str, era: str, calls: list[dict]) -> dict:
    """Lists the tools and makes the calls; what came back, in the form of the other clients."""
    # Strict: a schema that some client would refuse is an error.
    status, listed = _request(url, era, ["--method", "tools/list", "--strict"])
    if status != 0:
        raise RuntimeError(f"the inspector's strict list ended with {status}: {listed}")
    results = []
    for call in calls:
        arguments = ["--tool-name", call["name"], "--tool-args-json", json.dumps(call["arguments"])]
        results.append(_request(url, era, ["--method", "tools/call", *arguments])[1])
    return {"tools": [tool["name"] for tool in listed["tools"]], "results": results}


def _request(url: str, era: str, arguments: list[str]) -> tuple[int, dict]:
    main = module("inspector", ".bin/mcp-inspector")
    common = ["--cli", url, "--transport", "http", "--protocol-era", era, "--format", "json", "-q"]
    header = ["--header", "Authorization: Bearer e2e-token"]
    done = subprocess.run(
        [node(), main, *common, *header, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        # It keeps a catalog in the home folder.
        env={**os.environ, "HOME": str(packages.cache() / "data"), "NO_COLOR": "1"},
    )
    try:
        answer = json.loads(done.stdout)
    except ValueError as error:
        text = (done.stdout + done.stderr)[-2000:]
        raise RuntimeError(f"the inspector ended with {done.returncode}:\n{text}") from error
    return done.returncode, answer.get("result", answer)

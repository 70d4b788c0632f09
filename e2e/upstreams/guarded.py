"""A small upstream with a door: guarded.py PORT TOKEN. Legacy, without sessions.

It lists and runs tools only for `Bearer TOKEN`; `slow` doesn't answer, `quick` does.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

READ = {"readOnlyHint": True}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [
    {
        "name": "quick",
        "description": "Tells the weather.",
        "inputSchema": SCHEMA,
        "annotations": READ,
    },
    {"name": "slow", "description": "Never answers.", "inputSchema": SCHEMA, "annotations": READ},
]
CHALLENGE = 'Bearer error="invalid_token", scope="weather"'
STOPPED = threading.Event()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    token = ""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Authorization") != f"Bearer {self.token}":
            return self.answer(401, None, {"WWW-Authenticate": CHALLENGE})
        message = json.loads(body)
        if "id" not in message:
            return self.answer(202, None)
        params = message.get("params", {})
        result = self.result(message["method"], params)
        if result is None:
            error = {"code": -32601, "message": "method not found"}
            return self.answer(200, {"jsonrpc": "2.0", "id": message["id"], "error": error})
        return self.answer(200, {"jsonrpc": "2.0", "id": message["id"], "result": result})

    def result(self, method: str, params: dict) -> dict | None:
        if method == "initialize":
            who = {"name": "guarded", "version": "1"}
            version = "2025-06-18"
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": who}
        if method == "tools/list":
            return {"tools": TOOLS}
        if method == "tools/call":
            if params["name"] == "slow":
                STOPPED.wait(60)
            return {"content": [{"type": "text", "text": f"Sun in {params['arguments']['city']}"}]}
        return None

    def answer(self, status: int, body: dict | None, headers: dict | None = None) -> None:
        text = json.dumps(body).encode() if body is not None else b""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if text:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


if __name__ == "__main__":
    Handler.token = sys.argv[2]
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.daemon_threads = True
    server.serve_forever()

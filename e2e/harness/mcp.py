"""A plain MCP client over streamable HTTP that keeps every byte, in both protocol eras."""

import base64
import http.client
import itertools
import json
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from harness import rawjson

LEGACY = "2025-11-25"
MODERN = "2026-07-28"


@dataclass
class Answer:
    """One HTTP answer."""

    status: int
    headers: http.client.HTTPMessage
    text: str
    """The body, or of an event stream the message that answers the request."""
    seconds: float

    def json(self) -> dict:
        return json.loads(self.text)

    def result(self) -> str:
        """The result object, as it was spelt."""
        found = rawjson.members(self.text)
        if "result" not in found:
            raise ValueError(f"no result in {self.status}: {self.text[:500]}")
        return found["result"]


def send(url: str, body: bytes, headers: dict, method: str = "POST", timeout: float = 60) -> Answer:
    """One request, exactly as given."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=timeout)
    start = time.monotonic()
    try:
        connection.request(method, place.path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    if answer.headers.get_content_type() == "text/event-stream":
        text = _last_message(text)
    return Answer(answer.status, answer.headers, text, time.monotonic() - start)


def send_headers(url: str, headers: dict) -> int:
    """The status that a server answers to a POST's headers alone, before any of the body."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=10)
    try:
        connection.putrequest("POST", place.path)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        return connection.getresponse().status
    finally:
        connection.close()


class Mcp:
    """A caller of one endpoint in one era. Servers with sessions need `connect` first."""

    def __init__(self, url: str, version: str = LEGACY, token: str | None = None):
        self.url = url
        self.version = version
        self.token = token
        self._ids = itertools.count(1)
        self._session: str | None = None

    def connect(self) -> "Mcp":
        """Shakes hands, where the era has it."""
        if self.version != MODERN:
            answer = self.initialize()
            answer.result()
            self._session = answer.headers.get("Mcp-Session-Id")
            note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            send(self.url, json.dumps(note).encode(), self.headers(note["method"], {}))
        return self

    def initialize(self) -> Answer:
        """The legacy handshake's first message."""
        who = {"name": "e2e", "version": "1"}
        params = {"protocolVersion": self.version, "capabilities": {}, "clientInfo": who}
        return self.request("initialize", params)

    def request(self, method: str, params: dict | None = None) -> Answer:
        """Sends a request and waits for what answers it."""
        params = dict(params or {})
        if self.version == MODERN:
            params["_meta"] = {**envelope(), **params.get("_meta", {})}
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        return send(self.url, json.dumps(message).encode(), self.headers(method, params))

    def headers(self, method: str, params: dict) -> dict:
        """What goes with a message of this era."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if method != "initialize":
            headers["MCP-Protocol-Version"] = self.version
        if self._session:
            headers["Mcp-Session-Id"] = self._session
        if self.version == MODERN:
            headers["Mcp-Method"] = method
            name = params.get("name", params.get("uri"))
            if name is not None:
                headers["Mcp-Name"] = _header_value(name)
        return headers

    def tools(self) -> dict[str, str]:
        """All pages of the list: name to the tool as it was spelt."""
        found: dict[str, str] = {}
        params: dict = {}
        for _ in range(100):
            page = rawjson.members(self.request("tools/list", params).result())
            for tool in rawjson.elements(page["tools"]):
                found[json.loads(tool)["name"]] = tool
            cursor = json.loads(page.get("nextCursor", "null"))
            if cursor is None:
                return found
            params = {"cursor": cursor}
        raise RuntimeError(f"{self.url} lists pages without end")

    def call(self, name: str, arguments: dict) -> Answer:
        """A `tools/call`."""
        return self.request("tools/call", {"name": name, "arguments": arguments})

    def structured(self, name: str, arguments: dict) -> dict[str, str]:
        """The structured half of a call's result: member to its text."""
        return rawjson.members(
            rawjson.members(self.call(name, arguments).result())["structuredContent"]
        )


def envelope() -> dict:
    """What every modern request carries."""
    return {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "e2e", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }


def _header_value(text: str) -> str:
    if text.isascii() and text.isprintable() and text == text.strip():
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _last_message(stream: str) -> str:
    """The last message of an event stream: the response, by the protocol's rule."""
    messages = []
    for event in stream.replace("\r\n", "\n").split("\n\n"):
        lines = [
            line[5:].removeprefix(" ") for line in event.split("\n") if line.startswith("data:")
        ]
        data = "\n".join(lines)
        if data.strip():
            messages.append(data)
    return messages[-1] if messages else ""

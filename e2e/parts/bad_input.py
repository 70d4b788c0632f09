"""Bad requests, bad upstreams and bad commands: a clear answer, and the proxy goes on."""

import json

from harness import gateways, proxy
from harness.mcp import LEGACY, Answer, Mcp, send, send_headers
from harness.report import Report
from parts import bad_commands

JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
MIB = 1024 * 1024


def run(report: Report) -> None:
    bad_commands.run(report)
    with gateways.guarded("open-sesame") as upstream:
        with proxy.before("bad-input", upstream.url, "--call-timeout", "1s") as running:
            bad = BadInput(report, running.url)
            bad.http()
            bad.tools()
            bad.tokens()
            bad.slow()
            upstream.stop()
            bad.down()


class BadInput:
    """One running proxy, asked once more after each bad request."""

    def __init__(self, report: Report, url: str):
        self.report = report
        self.url = url
        self.caller = Mcp(url, LEGACY, token="open-sesame")

    def http(self) -> None:
        """What isn't a message."""
        self.report.part("bad HTTP")
        for name, body, status, code in BODIES:
            answer = send(self.url, body, JSON)
            got = (answer.status, answer.json()["error"]["code"])
            self.check(name, (status, code), got)
        for method in ("GET", "DELETE", "PUT"):
            answer = send(self.url, b"", {}, method)
            allowed = answer.headers.get("Allow", "")
            self.check(f"{method} is refused", (405, True), (answer.status, "POST" in allowed))
        status = send_headers(self.url, {**JSON, "Content-Length": str(11 * MIB)})
        self.check("a huge body is refused before it is sent", 413, status)
        answer = send(self.url, PING, {**JSON, "Origin": "https://example.com"})
        self.check("a foreign origin is refused", 403, answer.status)
        answer = send(self.url, PING, {**JSON, "Host": "example.com"})
        self.check("a foreign host name is refused", 403, answer.status)
        answer = send(self.url, PING, {**JSON, "Host": "me@localhost"})
        self.check("a host with a user is refused", 400, answer.status)
        answer = send(self.url, PING, {**JSON, "Content-Encoding": "gzip"})
        got = (answer.status, answer.headers.get("Accept-Encoding"))
        self.check("a packed body is refused with what is taken", (415, "identity"), got)
        answer = send(self.url.replace("/mcp", "/nothing"), PING, JSON)
        self.check("an unknown path is not found", 404, answer.status)

    def tools(self) -> None:
        """Calls that can't be right."""
        self.report.part("bad calls")
        answer = self.caller.call("no_such_tool", {})
        self.check("a sixth tool is unknown", -32602, answer.json()["error"]["code"])
        self.refusal("search_tools", {}, "query")
        self.refusal("search_tools", {"query": "a", "queries": ["b"]}, "quer")
        self.refusal("describe_tool", {}, "names")
        self.refusal("call_read_tool", {}, "name")
        self.refusal("call_read_tool", {"name": "quik", "arguments": {"city": "Oslo"}}, "quick")
        self.refusal("call_read_tool", {"name": "quick", "arguments": {}}, "city")
        self.refusal("call_read_tool", {"name": "quick", "arguments": {"city": 7}}, "/city")
        self.refusal("call_read_tools", {"calls": []}, "calls")

    def refusal(self, tool: str, arguments: dict, fragment: str) -> None:
        """A result that says `isError` and what is wrong."""
        answer = self.caller.call(tool, arguments)
        result = json.loads(answer.result())
        text = _text(result)
        title = f"{tool} {json.dumps(arguments)} is refused, naming {fragment}"
        self.check(title, (True, True), (result.get("isError"), fragment in text), text)

    def tokens(self) -> None:
        """The upstream's 401 is the caller's."""
        self.report.part("bad tokens")
        for name, token in (("no token", None), ("a wrong token", "wrong")):
            caller = Mcp(self.url, LEGACY, token=token)
            search = {"query": "weather"}
            for what, answer in (
                ("initialize", caller.initialize()),
                ("search_tools", caller.call("search_tools", search)),
                ("call_read_tool", caller.call("call_read_tool", OSLO)),
            ):
                challenge = answer.headers.get("WWW-Authenticate", "")
                got = (answer.status, 'error="invalid_token"' in challenge)
                self.check(
                    f"{what} with {name} is the upstream's 401", (401, True), got, answer.text
                )
        self.check("the right token still works", "Sun in Oslo", _text(_result(self.read("quick"))))

    def slow(self) -> None:
        """An upstream that doesn't answer."""
        self.report.part("slow upstream")
        answer = self.read("slow")
        self.check(
            "a call ends at --call-timeout", True, _result(answer).get("isError"), answer.text
        )
        self.report.check("and says so", "1" in _text(_result(answer)), "a time", answer.text)

    def down(self) -> None:
        """An upstream that is gone."""
        self.report.part("upstream down")
        answer = self.read("quick")
        self.check("a call is an error result", True, _result(answer).get("isError"), answer.text)
        search = self.caller.call("search_tools", {"query": "weather"})
        self.report.holds("the search goes on from the catalog", "quick", search.text)
        stranger = Mcp(self.url, LEGACY, token="stranger").call(
            "search_tools", {"query": "weather"}
        )
        got = (stranger.status, _result(stranger).get("isError"))
        self.check("a first search says that there is no catalog", (200, True), got, stranger.text)

    def read(self, tool: str) -> Answer:
        return self.caller.call("call_read_tool", {"name": tool, "arguments": {"city": "Oslo"}})

    def check(self, name: str, expected: object, got: object, text: str = "") -> None:
        """The outcome, and that the proxy still serves."""
        self.report.check(name, expected == got, expected, f"{got} {text}")
        ping = send(self.url, PING, JSON)
        if (ping.status, ping.json().get("result")) != (200, {}):
            self.report.check(f"{name}: then a ping", False, "200 and {}", ping.text)


def _result(answer: Answer) -> dict:
    return json.loads(answer.result())


def _text(result: dict) -> str:
    return "\n".join(block.get("text", "") for block in result["content"])


PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
OSLO = {"name": "quick", "arguments": {"city": "Oslo"}}
BODIES = [
    ("what isn't JSON is a parse error", b"hello", 400, -32700),
    ("nothing at all is a parse error", b"", 400, -32700),
    ("bytes that aren't UTF-8 are a parse error", b'{"a":"\xff"}', 400, -32700),
    ("deep nesting is an error", b"[" * 20_000, 400, -32700),
    ("a batch is an invalid request", b"[%s,%s]" % (PING, PING), 400, -32600),
    ("an empty batch is an invalid request", b"[]", 400, -32600),
    ("a message without a method is an invalid request", b'{"jsonrpc":"2.0","id":1}', 400, -32600),
    ("an unknown method is not found", PING.replace(b"ping", b"foo/bar"), 200, -32601),
]

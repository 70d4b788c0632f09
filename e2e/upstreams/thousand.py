"""An upstream with many made-up tools: thousand.py PORT COUNT. Legacy, without sessions.

Its tools have the sizes that real ones have: a name of three words, a description of some thirty,
five parameters. They are for figures of memory and time, not of what is found.
"""

import itertools
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

VERBS = "list get create update delete search export archive restore approve".split()
THINGS = (
    "invoice order parcel employee shift ticket meeting file build server database alert customer "
    "quote product supplier refund repair campaign vehicle device certificate visitor course budget"
).split()
PLACES = "north south harbour airport station online wholesale service office workshop".split()


def tools(count: int) -> list[dict]:
    """The first `count` of verbs x things x places."""
    named = itertools.product(PLACES, VERBS, THINGS)
    return [_tool(*words) for words in itertools.islice(named, count)]


def _tool(place: str, verb: str, thing: str) -> dict:
    description = (
        f"{verb.capitalize()}s one {thing} or several of the {place} branch. Use it when somebody "
        f"asks about a {thing} by its number, its owner or a day. The answer holds the {thing}'s "
        "state, who changed it last and when."
    )
    fields = {
        f"{thing}_id": f"The number of the {thing}.",
        "owner": f"Whose {thing} it is.",
        "from": "First day, inclusive.",
        "until": "Last day, inclusive.",
        "limit": "How many to return at most.",
    }
    properties = {
        name: {"type": "string", "description": text} for name, text in fields.items()
    }
    return {
        "name": f"{place}_{verb}_{thing}",
        "description": description,
        "inputSchema": {"type": "object", "properties": properties},
        "annotations": {"readOnlyHint": verb in ("list", "get", "search", "export")},
    }


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    tools: list[dict] = []

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            return self.answer(202, b"")
        results = {
            "initialize": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "thousand", "version": "1"},
            },
            "tools/list": {"tools": self.tools},
        }
        result = results.get(message["method"])
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        if result is None:
            answer["error"] = {"code": -32601, "message": "method not found"}
        else:
            answer["result"] = result
        return self.answer(200, json.dumps(answer).encode())

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


if __name__ == "__main__":
    Handler.tools = tools(int(sys.argv[2]))
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()

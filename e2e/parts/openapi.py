"""The document of the routes against the running demo: no 5xx, and every answer as it says."""

import json
import re
import subprocess
import urllib.request

from harness import packages, proxy
from harness.packages import script
from harness.report import Report

DOCUMENT = packages.ROOT / "docs" / "openapi.json"
CONFIG = packages.ROOT / "e2e" / "schemathesis.toml"
TOKEN = "only-for-this-run"
# Named in an example of the document.
TEMPLATES = """
[templates.chase_invoices]
tools = ["invoices__list_overdue_invoices", "no_such_tool"]
"""
# It goes on until the time is spent.
LIMITS = ["--max-examples", "300", "--max-time", "45", "--seed", "1"]


def run(report: Report) -> None:
    report.part("openapi")
    templates = packages.cache() / "data" / "templates.toml"
    templates.parent.mkdir(parents=True, exist_ok=True)
    templates.write_text(TEMPLATES)
    demo = proxy.Proxy("openapi", ["demo", "--admin-token", TOKEN, "--templates", templates])
    with demo:
        # The demo looks around first; its tools are listed and indexed by then.
        demo.wait_for_output("Serving on", seconds=120)
        with urllib.request.urlopen(f"{demo.base}/openapi.json") as served:
            same = json.load(served) == json.loads(DOCUMENT.read_text())
        report.equal("the document that is served is the one in docs", True, same)
        done = _schemathesis(demo.base)
    lines = done.stdout.splitlines()
    counts = next((line.strip() for line in lines if re.search(r"\d+ generated", line)), "none")
    start = next((at for at, line in enumerate(lines) if "= FAILURES =" in line), 0)
    failures = "\n".join(lines[start:] or [done.stderr])
    report.check(f"requests: {counts}", done.returncode == 0, "exit status 0", failures)


def _schemathesis(url: str) -> subprocess.CompletedProcess:
    place = packages.cache() / "data" / "schemathesis"
    place.mkdir(parents=True, exist_ok=True)
    main = script("schemathesis", "schemathesis")
    command = [main, "--config-file", CONFIG, "run", DOCUMENT, "--url", url, *LIMITS]
    command += ["--phases", "examples,coverage,fuzzing", "--continue-on-failure", "--no-color"]
    command += ["--header", f"X-Admin-Token: {TOKEN}"]
    return subprocess.run(
        command, cwd=place, capture_output=True, text=True, timeout=180, stdin=subprocess.DEVNULL
    )

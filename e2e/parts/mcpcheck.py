"""A second opinion: jbt-mcpcheck, which knows only the newest revision."""

import json
import subprocess

from harness import gateways, proxy
from harness.packages import script
from harness.report import Report


def run(report: Report) -> None:
    with gateways.everything() as upstream, proxy.before("mcpcheck", upstream.url) as running:
        command = [script("mcpcheck", "mcpcheck"), running.url, "--json", "--no-color"]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
        )
    checks = json.loads(done.stdout)["checks"]
    for check in checks:
        report.check(check["name"], check["passed"], "passed", check)
        for warning in check["warnings"]:
            report.say(f"advice, {warning['level']}: {warning['subject']} {warning['message']}")
    report.equal("all eight ran, and none failed", (8, 0), (len(checks), done.returncode))

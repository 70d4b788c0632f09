"""The protocol's own conformance suite, where a server needs no tools made for it."""

import subprocess

from harness import gateways, packages, proxy
from harness.packages import module, node
from harness.report import Report

# A scenario and the revision to speak; none for the scenario's newest.
SCENARIOS = [
    ("server-initialize", None),
    ("ping", None),
    ("tools-list", "2025-11-25"),
    ("tools-list", "2026-07-28"),
    ("server-stateless", None),
    ("http-header-validation", None),
    ("dns-rebinding-protection", "2025-11-25"),
    ("dns-rebinding-protection", "2026-07-28"),
    ("caching", None),
    ("input-required-result-unsupported-methods", None),
    # Passed on to the upstream, and its answers back.
    ("prompts-list", None),
    ("resources-list", None),
]


def run(report: Report) -> None:
    with gateways.everything() as upstream, proxy.before("conformance", upstream.url) as running:
        for scenario, revision in SCENARIOS:
            _check(report, running.url, scenario, revision)


def _check(report: Report, url: str, scenario: str, revision: str | None) -> None:
    main = module("conformance", "@modelcontextprotocol/conformance/dist/index.js")
    expected = packages.ROOT / "e2e" / "expected-failures.yml"
    command = [node(), main, "server", "--url", url, "--scenario", scenario]
    command += ["--expected-failures", expected]
    if revision:
        command += ["--spec-version", revision]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )
    lines = (done.stdout + done.stderr).splitlines()
    counts = next((line for line in lines if line.startswith("Passed: ")), "no counts")
    title = f"{scenario} {revision or ''}".rstrip()
    telling = [line for line in lines if "SUCCESS" not in line and line.strip()]
    report.check(f"{title}: {counts}", done.returncode == 0, "exit status 0", "\n".join(telling))

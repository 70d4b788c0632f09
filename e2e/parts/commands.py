"""The commands beside `serve`, against a real upstream."""

import json
import subprocess
import tempfile

from harness import gateways, proxy
from harness.process import free_port
from harness.report import Report

QUERY = "read the text of a file"
TOOL = "filesystem_read_text_file"


def run(report: Report) -> None:
    report.part("commands")
    with gateways.aggregate() as upstream:
        search = ["search", "--upstream", upstream.url, QUERY]
        report.holds("search finds the tool", TOOL, _run(search).stdout)
        found = json.loads(_run([*search, "--json"]).stdout)
        report.check("search --json is JSON with the tool", TOOL in json.dumps(found), TOOL, found)
        running = proxy.before("commands", upstream.url)
        with running:
            health = ["health", "--listen", f"127.0.0.1:{running.port}"]
            report.equal("health of a running proxy succeeds", 0, _run(health).returncode)
            here = _answers(["--upstream", upstream.url])
            report.equal("eval finds the tool", 1, here[0]["ranks"][0])
            through = _answers(["--through", running.url])
            report.equal("eval through a running proxy answers the same", here, through)
            status = running.stop()
        report.equal("SIGTERM ends it with status 0", 0, status)
    gone = _run(["health", "--listen", f"127.0.0.1:{free_port()}"])
    report.check("health of no proxy fails", gone.returncode > 0, "above 0", gone.returncode)
    completions = _run(["completions", "bash"])
    report.holds("completions are a script", "complete -F", completions.stdout)
    report.holds("--version is the program's", proxy.BINARY, _run(["--version"]).stdout)


def _answers(source: list) -> list:
    question = {"id": "read", "query": QUERY, "lang": "en", "kind": "single", "relevant": [TOOL]}
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as questions:
        questions.write(json.dumps(question))
        questions.flush()
        output = _run(["eval", *source, "--queries", questions.name, "--json"]).stdout
    return json.loads(output)["answers"]


def _run(arguments: list) -> subprocess.CompletedProcess:
    return subprocess.run(
        [proxy.binary(), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )

"""The alert rules and the dashboard, read by the programs that they are for."""

import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from harness import packages, proxy
from harness.process import Process, free_port
from harness.report import Report

FOLDER = packages.ROOT / "monitoring"
# What Grafana fills in.
VARIABLES = {
    "$job": ".*",
    "$instance": ".*",
    "$__rate_interval": "1m",
    "$__range": "1h",
}
# The demo's tools can all be checked.
WITHOUT_EVENT = {"toolsearch_unchecked_calls_total"}


def run(report: Report) -> None:
    report.part("monitoring")
    if shutil.which("promtool") is None or shutil.which("prometheus") is None:
        report.skip("rules and dashboard", "Debian's package `prometheus` isn't installed")
        return
    for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"]):
        done = _promtool(*command)
        name = f"promtool {' '.join(command)}"
        report.check(name, done.returncode == 0, 0, done.stdout + done.stderr)
    with proxy.Proxy("monitoring", ["demo"]) as running, Prometheus(running.port) as prometheus:
        prometheus.wait_for_ok(f"{prometheus.url}/-/ready")
        prometheus.scrape()
        Reading(report, prometheus).all()


class Prometheus(Process):
    """Scrapes a proxy every second and holds the rules against what it finds."""

    def __init__(self, proxy_port: int):
        folder = packages.cache() / "prometheus"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        config = folder / "prometheus.yml"
        # JSON is YAML.
        config.write_text(
            json.dumps(
                {
                    "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                    "rule_files": [str(FOLDER / "alerts.yml")],
                    "scrape_configs": [
                        {
                            "job_name": "toolsearch",
                            "static_configs": [{"targets": [f"127.0.0.1:{proxy_port}"]}],
                        }
                    ],
                }
            )
        )
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data"]
        super().__init__("prometheus", [*command, f"--web.listen-address=127.0.0.1:{port}"])

    def api(self, path: str) -> dict:
        """What its API answers; an error too is JSON."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/{path}", timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def query(self, expression: str) -> dict:
        """The value of an expression now."""
        return self.api(f"query?query={urllib.parse.quote(expression)}")

    def rules(self) -> list[dict]:
        """The rules with their health, which is unknown before the first evaluation."""
        groups = self.api("rules")["data"]["groups"]
        return [rule for group in groups for rule in group["rules"]]

    def scrape(self) -> None:
        """Returns once it has scraped the proxy and evaluated the rules, or gives up."""
        for _ in range(60):
            found = self.query('up{job="toolsearch"} == 1')["data"]["result"]
            if found and all(rule["health"] != "unknown" for rule in self.rules()):
                return
            time.sleep(0.5)


class Reading:
    """What Prometheus makes of our files."""

    def __init__(self, report: Report, prometheus: Prometheus):
        self.report = report
        self.prometheus = prometheus
        self.dashboard = (FOLDER / "dashboard.json").read_text()

    def all(self) -> None:
        rules = self.prometheus.rules()
        self.report.check("Prometheus has the rules", len(rules) > 5, "more than 5", len(rules))
        sick = [(rule["name"], rule.get("lastError")) for rule in rules if rule["health"] != "ok"]
        self.report.none("every rule is evaluated", sick)
        firing = [rule["name"] for rule in rules if rule["state"] != "inactive"]
        self.report.none("no alert fires for a proxy that is well", firing)
        answers = {each: self.prometheus.query(_filled(each)) for each in self.expressions()}
        bad = [(each, got) for each, got in answers.items() if got["status"] != "success"]
        self.report.none(f"all {len(answers)} expressions of the dashboard are evaluated", bad)
        known = set(self.prometheus.api("label/__name__/values")["data"])
        named = set(re.findall(r"toolsearch_\w+", self.dashboard)) - WITHOUT_EVENT
        self.report.none("every metric of the dashboard is scraped", sorted(named - known))

    def expressions(self) -> list[str]:
        panels = json.loads(self.dashboard)["panels"]
        return [target["expr"] for panel in panels for target in panel.get("targets", [])]


def _filled(expression: str) -> str:
    for variable, value in VARIABLES.items():
        expression = expression.replace(variable, value)
    return expression


def _promtool(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["promtool", *arguments],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )

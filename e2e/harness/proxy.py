"""The proxy under test."""

import os
import subprocess
from pathlib import Path

from harness import packages
from harness.process import Process, free_port

BINARY = "mcp-toolsearch-proxy"
NAMED = "TOOLSEARCH_E2E_BINARY"


def build() -> None:
    """Builds what the tests of the same run have mostly built already, unless one is named."""
    if NAMED in os.environ:
        return
    command = ["cargo", "build", "--locked", "--package", "proxy"]
    subprocess.run(command, cwd=packages.ROOT, stdin=subprocess.DEVNULL, check=True)


def binary() -> Path:
    """The debug build, or the one that is named."""
    named = os.environ.get(NAMED)
    return Path(named) if named else packages.target() / "debug" / BINARY


class Proxy(Process):
    """`serve` before an upstream, or another command that serves, on a free port."""

    def __init__(self, name: str, arguments: list):
        self.port = free_port()
        # Named `localhost`, as people and suites name it; the Host check is then part of every run.
        self.base = f"http://localhost:{self.port}"
        self.url = f"{self.base}/mcp"
        command = [binary(), *arguments, "--listen", f"127.0.0.1:{self.port}"]
        super().__init__(f"proxy-{name}", command)

    def __enter__(self) -> "Proxy":
        try:
            self.wait_for_ok(f"{self.base}/readyz")
        except BaseException:
            self.stop()
            raise
        return self


def before(name: str, upstream: str, *arguments: str) -> Proxy:
    """The proxy before one upstream."""
    return Proxy(name, ["serve", "--upstream", upstream, *arguments])

"""A server of this run: its own process group, its own log, ended by its own id."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from harness import packages


def free_port() -> int:
    """A loopback port that nobody has at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """Started on construction; ended at the end of its `with` block, whatever happens in it."""

    def __init__(self, name: str, command: list, env: dict | None = None, cwd: Path | None = None):
        logs = packages.cache() / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        self.name = name
        self._status: int | None = None
        self.log = logs / f"{name}.log"
        with self.log.open("wb") as out:
            self._child = subprocess.Popen(
                [str(part) for part in command],
                cwd=cwd or packages.ROOT,
                env={**_own_environment(), **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._child.pid

    def resident(self, kind: str = "VmRSS") -> float:
        """Its memory in MB, or of one kind, as Linux calls them."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"{kind}:\s+(\d+) kB", status).group(1)) * 1024 / 1_000_000

    def output(self) -> str:
        """What it has printed so far."""
        return self.log.read_text(errors="replace")

    def wait_for_port(self, port: int, seconds: float = 60) -> None:
        """Returns once it accepts connections."""

        def listens() -> bool:
            try:
                socket.create_connection(("localhost", port), timeout=1).close()
            except OSError:
                return False
            return True

        self._wait(listens, f"to listen on {port}", seconds)

    def wait_for_ok(self, url: str, seconds: float = 60) -> None:
        """Returns once the URL answers 200."""

        def answers() -> bool:
            try:
                with urllib.request.urlopen(url, timeout=2) as answer:
                    return answer.status == 200
            except (OSError, urllib.error.URLError):
                return False

        self._wait(answers, f"to answer {url}", seconds)

    def wait_for_output(self, text: str, seconds: float = 60) -> None:
        """Returns once it has printed the text."""
        self._wait(lambda: text in self.output(), f"to print {text!r}", seconds)

    def signal(self, number: signal.Signals) -> None:
        """Sends it a signal."""
        self._child.send_signal(number)

    def stop(self, seconds: float = 15) -> int:
        """Asks it to end, then makes it, with what it left behind in its group. Once is enough."""
        if self._status is None:
            self._child.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(seconds)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._status = self._child.wait()
        return self._status

    def _wait(self, is_ready, what: str, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not is_ready():
            status = self._child.poll()
            if status is not None:
                raise RuntimeError(f"{self.name} ended with {status}:\n{self.output()[-2000:]}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} had {seconds} s {what}:\n{self.output()[-2000:]}")
            time.sleep(0.05)


def _own_environment() -> dict[str, str]:
    """This process's variables without the proxy's settings: each run sets its own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TOOLSEARCH_")}

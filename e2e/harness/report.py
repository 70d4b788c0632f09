"""One line a check, and the two closing numbers."""

import time


class Report:
    """Counts what passed and failed; a failure doesn't end the run."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []
        self._part = ""
        self._start = time.monotonic()

    def part(self, name: str) -> None:
        """Names what the next checks are about."""
        self._part = name

    def check(self, name: str, holds: bool, expected: object = "", got: object = "") -> bool:
        """One fact. What was expected and what came is printed only when it doesn't hold."""
        title = f"{self._part}: {name}"
        if holds:
            self.passed += 1
            print(f"ok      {title}", flush=True)
        else:
            self.failed.append(title)
            print(f"FAILED  {title}", flush=True)
            print(f"        expected {_short(expected)}", flush=True)
            print(f"        got      {_short(got)}", flush=True)
        return holds

    def equal(self, name: str, expected: object, got: object) -> bool:
        """Both are the same."""
        return self.check(name, expected == got, expected, got)

    def holds(self, name: str, fragment: str, text: str) -> bool:
        """`fragment` stands in `text`."""
        return self.check(name, fragment in text, f"something with {fragment!r}", text)

    def none(self, name: str, breaches: list) -> bool:
        """Nothing was found wrong, of many things looked at."""
        return self.check(name, not breaches, "none", f"{len(breaches)}: {breaches[:5]}")

    def skip(self, name: str, reason: str) -> None:
        """A check that can't run here."""
        print(f"skipped {self._part}: {name} ({reason})", flush=True)

    def say(self, text: str) -> None:
        """A figure that is reported, not judged."""
        print(f"        {self._part}: {text}", flush=True)

    def close(self) -> int:
        """The summary; the exit status."""
        for title in self.failed:
            print(f"FAILED  {title}")
        print(f"e2e took {time.monotonic() - self._start:.0f} s")
        print(f"{self.passed} passed, {len(self.failed)} failed", flush=True)
        return 1 if self.failed else 0


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 1200 else f"{text[:1200]}… ({len(text)} characters)"

"""Steps that are run once: a build that was broken off goes on where it was."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Step:
    """One step of a build."""

    name: str
    run: Callable[[], None]
    settings: object
    """What it depends on beside the steps before it: anything that JSON can say."""


def run_steps(steps: list[Step], folder: Path) -> None:
    """Runs the steps in order, without those that were done with the same settings after the same steps.

    Of each that is done `folder` keeps a stamp, named after it; without its stamp a step is run again, and
    so are all after it whose stamps are older than its settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    key = ""
    is_current = True
    for step in steps:
        key = _key(key, step)
        stamp = folder / step.name
        is_current = is_current and stamp.exists() and stamp.read_text() == key
        if is_current:
            print(f"{step.name}: done before", flush=True)
            continue
        stamp.unlink(missing_ok=True)
        begun = time.monotonic()
        print(f"{step.name}: begins", flush=True)
        step.run()
        stamp.write_text(key)
        print(f"{step.name}: took {time.monotonic() - begun:.0f} s", flush=True)


def digest(paths: list[Path]) -> str:
    """One for the content of all files, in their order, with their names."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _key(before: str, step: Step) -> str:
    text = json.dumps([before, step.name, step.settings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()

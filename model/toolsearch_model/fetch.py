"""Downloads the packages that are learned from, with the registries' own clients."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_DEBIAN_AT_ONCE = 40
_KINDS = ("debian", "pypi", "npm")


@dataclass(frozen=True)
class Wanted:
    """A line of the list of packages: `debian adduser`, `pypi django==5.2.19`, `npm joplin@3.6.2`."""

    kind: str
    spec: str

    @property
    def name(self) -> str:
        """Without the version."""
        return re.split(r"==|(?<=.)@", self.spec)[0]


def read_list(path: Path) -> list[Wanted]:
    """The packages of a list; ValueError for a line that is none."""
    wanted = []
    for number, line in enumerate(path.read_text(encoding="utf8").splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        kind, _, spec = line.partition(" ")
        if kind not in _KINDS or not spec.strip():
            raise ValueError(
                f"{path}:{number}: `{line}` isn't one of {', '.join(_KINDS)} and a name"
            )
        wanted.append(Wanted(kind, spec.strip()))
    return wanted


class Downloads:
    """A folder with the files of packages, and `packages.lock`: which file came for which line."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._lock = folder / "packages.lock"

    @property
    def debian_index(self) -> Path:
        """What apt knows of each package of the release."""
        return self.folder / "debian.txt"

    def files(self) -> dict[str, Path]:
        """File of each package, by its line, in the order of the lines."""
        if not self._lock.exists():
            return {}
        names = json.loads(self._lock.read_text(encoding="utf8"))
        found = {line: self.folder / name for line, name in sorted(names.items())}
        return {line: path for line, path in found.items() if path.exists()}

    def fetch(self, wanted: list[Wanted]) -> None:
        """Gets what isn't there yet, forgets what isn't wanted.

        A package that its registry doesn't have is told and left out: names come and go between Debian's
        releases. RuntimeError if nothing can be had at all.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self.debian_index.write_bytes(_run(["apt-cache", "dumpavail"]))
        have = self.files()
        lines = {f"{one.kind} {one.spec}": one for one in wanted}
        names = {line: path.name for line, path in have.items() if line in lines}
        missing = {line: one for line, one in lines.items() if line not in names}
        for line, name in [*self._debian(missing), *self._others(missing)]:
            names[line] = name
        for line in sorted(lines.keys() - names.keys()):
            print(f"not to be had: {line}", flush=True)
        if lines and not names:
            raise RuntimeError(
                "none of the packages can be had; is there a network, was `apt-get update` run?"
            )
        self._lock.write_text(json.dumps(names, indent=1, sort_keys=True) + "\n", encoding="utf8")

    def _debian(self, missing: dict[str, Wanted]) -> list[tuple[str, str]]:
        """One missing name would fail all that are asked for with it, so only known ones are."""
        known = set(
            re.findall(r"(?m)^Package: (.+)$", self.debian_index.read_text(errors="replace"))
        )
        lines = {one.name: line for line, one in missing.items() if one.kind == "debian"}
        names = [name for name in lines if name in known]
        for start in range(0, len(names), _DEBIAN_AT_ONCE):
            some = names[start : start + _DEBIAN_AT_ONCE]
            try:
                _run(["apt-get", "--quiet", "download", *some], self.folder)
            except RuntimeError as error:  # the others of the batch have come
                print(error, flush=True)
        came = {path.name.split("_")[0]: path.name for path in sorted(self.folder.glob("*.deb"))}
        return [(lines[name], came[name]) for name in names if name in came]

    def _others(self, missing: dict[str, Wanted]) -> list[tuple[str, str]]:
        came = []
        for line, one in missing.items():
            if one.kind == "debian":
                continue
            before = set(self.folder.iterdir())
            try:
                _run(_command(one), self.folder)
            except RuntimeError as error:
                print(error, flush=True)
                continue
            new = sorted(path.name for path in set(self.folder.iterdir()) - before)
            came += [(line, name) for name in new[:1]]
        return came


def _command(wanted: Wanted) -> list[str]:
    if wanted.kind == "npm":
        return ["npm", "pack", "--silent", wanted.spec]
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download"]
    # Only its texts are wanted: neither what it needs nor the Python that it would run with matter.
    return [*pip, "--no-deps", "--ignore-requires-python", wanted.spec]


def _run(command: list[str], folder: Path | None = None) -> bytes:
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        tail = done.stderr.decode(errors="replace").strip()[-500:]
        raise RuntimeError(f"`{' '.join(command)[:200]}` ended with {done.returncode}: {tail}")
    return done.stdout

"""From downloaded packages to files of strings with their translations."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Protocol

from toolsearch_model.sources import dictionaries, mozilla
from toolsearch_model.sources.catalogues import DesktopEntries, Gettext, Qt
from toolsearch_model.sources.containers import Read, members
from toolsearch_model.sources.help_pages import HelpPages
from toolsearch_model.sources.keyed import JsonLocales, PhpArrays
from toolsearch_model.sources.pairs import Pairs, Row
from toolsearch_model.sources.skills import Skills
from toolsearch_model.sources.unicode_names import UnicodeNames


class Reader(Protocol):
    """Reads one kind of file. It is shown all files of a package and then told that these were all."""

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of its kind."""

    def finish(self) -> None:
        """Pairs what could only be paired when all files were there."""


def extract_all(packages: list[Path], folder: Path, processes: int) -> list[Path]:
    """A file of strings for each package, in the order of the packages; those that exist are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    # The largest first, so that no process is left alone with one of them at the end.
    by_size = sorted(packages, key=lambda path: path.stat().st_size, reverse=True)
    with ProcessPoolExecutor(processes) as pool:
        for told in pool.map(partial(_extract_into, folder), by_size):
            if told:
                print(told, flush=True)
    return [_target(folder, package) for package in packages]


def extract(package: Path) -> list[Row]:
    """All pairs of a package."""
    pairs = Pairs()
    if mozilla.is_language_package(package):
        mozilla.add_language_package(package, pairs)
    elif dictionaries.is_dictionary(package):
        dictionaries.add_dictionary(package, pairs)
    else:
        _read_members(package, pairs)
    return pairs.rows()


def _read_members(package: Path, pairs: Pairs) -> None:
    # A file belongs to the first reader that takes it.
    readers: list[Reader] = [
        Gettext(pairs),
        Qt(pairs),
        HelpPages(pairs),
        PhpArrays(pairs),
        DesktopEntries(pairs),
    ]
    if package.name.startswith("cldr-"):
        readers.append(UnicodeNames(pairs))
    readers += [Skills(pairs), JsonLocales(pairs)]
    for path, read in members(package):
        any(reader.take(f"/{path}", read) for reader in readers)
    for reader in readers:
        reader.finish()


def _extract_into(folder: Path, package: Path) -> str:
    """What there is to tell, mostly nothing. A package that can't be read is told and has no strings."""
    target = _target(folder, package)
    if target.exists():
        return ""
    told = ""
    try:
        rows = extract(package)
    except (
        Exception
    ) as error:  # other people's files: whatever is wrong with one, the others are read
        rows, told = [], f"{package.name} can't be read: {error!r}"
    write_rows(target, rows)
    return told


def _target(folder: Path, package: Path) -> Path:
    return folder / f"{package.name}.tsv"


def write_rows(path: Path, rows: list[Row]) -> None:
    """Four fields a line with tabs between, whole or not at all."""
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="utf8") as file:
        for row in rows:
            file.write("\t".join(" ".join(field.split()) for field in row) + "\n")
    unfinished.rename(path)


def read_rows(path: Path) -> list[Row]:
    """What `write_rows` wrote."""
    with path.open(encoding="utf8") as file:
        rows = (line.rstrip("\n").split("\t") for line in file)
        return [(row[0], row[1], row[2], row[3]) for row in rows if len(row) == 4]

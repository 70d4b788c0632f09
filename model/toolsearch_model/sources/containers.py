"""The files inside a package."""

import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

Read = Callable[[], bytes]
"""Reads a member; only while the iteration stands at it."""


def members(package: Path) -> Iterator[tuple[str, Read]]:
    """Path and content of each file in a .deb, a .whl, or a compressed tar archive."""
    if package.suffix == ".deb":
        yield from _debian(package)
    elif package.suffix in (".whl", ".zip", ".xpi"):
        with zipfile.ZipFile(package) as archive:
            for name in archive.namelist():
                yield name, lambda name=name: archive.read(name)
    else:
        with tarfile.open(package, "r|gz") as archive:
            yield from _tar(archive)


def _debian(package: Path) -> Iterator[tuple[str, Read]]:
    command = ["dpkg-deb", "--fsys-tarfile", package]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as unpacked:
        with tarfile.open(fileobj=unpacked.stdout, mode="r|") as archive:
            yield from _tar(archive)


def _tar(archive: tarfile.TarFile) -> Iterator[tuple[str, Read]]:
    for member in archive:
        if member.isfile():
            yield member.name, lambda member=member: archive.extractfile(member).read()

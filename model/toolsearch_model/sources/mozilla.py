"""Language packages of Firefox and Thunderbird: a .deb with an .xpi in it. English is the package en-gb."""

import io
import re
import zipfile
from functools import lru_cache
from pathlib import Path, PurePosixPath

from toolsearch_model.languages import is_english
from toolsearch_model.sources import keyed
from toolsearch_model.sources.containers import members
from toolsearch_model.sources.pairs import Pairs

_NAME = re.compile(r"(firefox-esr|thunderbird)-l10n-([a-z]+(?:-[a-z]+)?)_")
_LANGUAGE_FOLDER = re.compile(r"(?:locale|localization)/[\w-]+/")
_READERS = {
    ".ftl": keyed.fluent_texts,
    ".properties": keyed.properties_texts,
    ".dtd": keyed.dtd_texts,
}


def is_language_package(package: Path) -> bool:
    """True if `add_language_package` reads it."""
    return _NAME.match(package.name) is not None


def add_language_package(package: Path, pairs: Pairs) -> None:
    """Pairs it with the English one beside it; adds nothing if there is none."""
    application, language = _NAME.match(package.name).groups()
    english = next(package.parent.glob(f"{application}-l10n-en-gb_*.deb"), None)
    if english is not None and not is_english(language):
        keyed.add_keyed(pairs, _english_texts(english), _texts(package), language)


@lru_cache
def _english_texts(package: Path) -> keyed.Texts:
    return _texts(package)


def _texts(package: Path) -> keyed.Texts:
    texts: keyed.Texts = {}
    for path, read in members(package):
        if not path.endswith(".xpi"):
            continue
        with zipfile.ZipFile(io.BytesIO(read())) as archive:
            for name in archive.namelist():
                reader = _READERS.get(PurePosixPath(name).suffix)
                if reader is None:
                    continue
                file = _LANGUAGE_FOLDER.sub("", name)
                found = reader(archive.read(name).decode("utf8", "replace"))
                texts.update({f"{file}:{key}": text for key, text in found.items()})
    return texts

"""Dictionaries of FreeDict, in the form of dictd: an index and a body of articles."""

import gzip
import re
import string
from pathlib import Path

from toolsearch_model.sources.containers import members
from toolsearch_model.sources.pairs import Pairs

_NAME = re.compile(r"dict-freedict-(\w{3})-(\w{3})_")
_TWO_LETTERS = {
    "afr": "af",
    "ara": "ar",
    "bul": "bg",
    "ces": "cs",
    "cym": "cy",
    "dan": "da",
    "deu": "de",
    "ell": "el",
    "eng": "en",
    "epo": "eo",
    "fin": "fi",
    "fra": "fr",
    "gle": "ga",
    "hin": "hi",
    "hrv": "hr",
    "hun": "hu",
    "ind": "id",
    "isl": "is",
    "ita": "it",
    "jpn": "ja",
    "kur": "ku",
    "lat": "la",
    "lit": "lt",
    "nld": "nl",
    "nor": "nb",
    "pol": "pl",
    "por": "pt",
    "rus": "ru",
    "slk": "sk",
    "slv": "sl",
    "spa": "es",
    "srp": "sr",
    "swe": "sv",
    "swh": "sw",
    "tur": "tr",
}
_DIGITS = {
    letter: value
    for value, letter in enumerate(
        string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    )
}
_MEANINGS = 3
_NOT_SAID = re.compile(r"/[^/]*/|<[^>]*>|\([^)]*\)|\[[^\]]*\]")
_NO_MEANING = ('"', "Synonym", "see:", "See:", "Note")


def is_dictionary(package: Path) -> bool:
    """True if `add_dictionary` reads it."""
    return _NAME.match(package.name) is not None


def add_dictionary(package: Path, pairs: Pairs) -> None:
    """Pairs each word with its first meanings. The English side is the head, if there is one."""
    source, target = (_TWO_LETTERS.get(code, code) for code in _NAME.match(package.name).groups())
    index = body = None
    for path, read in members(package):
        if path.endswith(".index"):
            index = read().decode("utf8", "replace")
        elif path.endswith(".dict.dz"):
            body = gzip.decompress(read())
        elif path.endswith(".dict"):
            body = read()
    if index is None or body is None:
        return
    for word, meanings in articles(index, body):
        for meaning in meanings[:_MEANINGS]:
            if target == "en":
                pairs.add(meaning, source, word)
            else:
                pairs.add_between(source, word, target, meaning)


def articles(index: str, body: bytes) -> list[tuple[str, list[str]]]:
    """Word and meanings of each article.

    An index line is a headword, the article's place and its length, the last two as numbers to the
    base 64. The article's first line is the word with its grammar, the others are meanings.
    """
    found = []
    for line in index.splitlines():
        fields = line.split("\t")
        if len(fields) < 3 or fields[0].startswith("00"):  # 00-database-info and its like
            continue
        start, length = _number(fields[1]), _number(fields[2])
        head, *lines = body[start : start + length].decode("utf8", "replace").split("\n")
        found.append((_NOT_SAID.sub(" ", head).strip(), _meanings(lines)))
    return found


def _meanings(lines: list[str]) -> list[str]:
    meanings = []
    for line in lines:
        line = re.sub(r"^\s*\d+\.\s*", "", line)
        line = re.sub(r"<[^>]*>|\([^)]*\)|\[[^\]]*\]|\{[^}]*\}", " ", line).strip()
        if line and not line.startswith(_NO_MEANING):
            meanings += [part.strip() for part in re.split(r"[,;]", line) if part.strip()]
    return meanings


def _number(letters: str) -> int:
    value = 0
    for letter in letters:
        value = 64 * value + _DIGITS[letter]
    return value

"""Sentences that people wrote for this model: `data/`.

Every file has the same form. The first line names the language of each column, with ` | ` between. The
first column is the English text that the others on its line mean; a language may have more than one
column, and a line may end early or leave fields empty.
"""

from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"


@dataclass(frozen=True)
class Line:
    """An English text and how people say it, in whatever language."""

    english: str
    wordings: list[tuple[str, str]]
    """Language and text."""


def read_lines(path: Path) -> list[Line]:
    """ValueError names the line that doesn't fit its header."""
    header, *rows = path.read_text(encoding="utf8").splitlines()
    columns = _fields(header)
    if len(columns) < 2 or columns[0] != "en":
        raise ValueError(
            f"{path}:1: the header is `{header[:80]}`; it starts with `en | ` and a language"
        )
    lines = []
    for number, row in enumerate(rows, 2):
        fields = _fields(row)
        if not fields[0] or len(fields) > len(columns):
            wanted = f"an English text and up to {len(columns) - 1} others"
            raise ValueError(f"{path}:{number}: {len(fields)} fields; the header means {wanted}")
        wordings = [(language, text) for language, text in zip(columns[1:], fields[1:]) if text]
        lines.append(Line(fields[0], wordings))
    return lines


def requests(data: Path = DATA) -> list[Line]:
    """Operations and how people ask for them."""
    return _all_of(data / "requests")


def sentences(data: Path = DATA) -> list[Line]:
    """Everyday sentences and their translations; abilities and the wishes that they serve."""
    return _all_of(data / "sentences")


def openers(data: Path = DATA) -> list[tuple[str, str]]:
    """Language and text of what people begin a request with and that says nothing of it: `could you`."""
    found = []
    for row in (data / "openers.psv").read_text(encoding="utf8").splitlines():
        language, *texts = _fields(row)
        found += [(language, text) for text in texts]
    return found


def reference_texts(data: Path = DATA) -> list[tuple[str, str]]:
    """Language and text of what every implementation of the model is compared by."""
    rows = (data / "reference_texts.tsv").read_text(encoding="utf8").splitlines()
    return [(language, text) for language, _, text in (row.partition("\t") for row in rows)]


def _all_of(folder: Path) -> list[Line]:
    return [line for path in sorted(folder.glob("*.psv")) for line in read_lines(path)]


def _fields(row: str) -> list[str]:
    return [field.strip() for field in row.split("|")]

"""Names of packages with what their authors say of them: they keep the general meaning of words."""

import re
from pathlib import Path

from toolsearch_model.texts import words_of_name

_MAX_SUMMARY = 300
_LEAST_SUMMARY = 20


def debian_summaries(index: Path) -> list[tuple[str, str]]:
    """Of each package in apt's index the name in words and the summary."""
    found = []
    for record in index.read_text(encoding="utf8", errors="replace").split("\n\n"):
        name = re.search(r"(?m)^Package: (.+)$", record)
        summary = re.search(r"(?m)^Description(?:-en)?: (.+)$", record)
        if name and summary:
            found.append((words_of_name(name[1]), summary[1]))
    return found


def listed_summaries(path: Path) -> list[tuple[str, str]]:
    """The same of a file of one's own: name, tab, summary on each line; short summaries are left out."""
    found = []
    for line in path.read_text(encoding="utf8", errors="replace").splitlines():
        name, _, summary = line.partition("\t")
        summary = summary.strip()
        if len(summary) >= _LEAST_SUMMARY:
            words = words_of_name(name.replace("@", "").replace("/", " "))
            found.append((words, summary[:_MAX_SUMMARY]))
    return found

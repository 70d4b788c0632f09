"""Brings the strings of all packages together in groups that mean the same."""

import array
import gc
import json
import random
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolsearch_model.exclusion import Exclusion
from toolsearch_model.extract import read_rows
from toolsearch_model.languages import canonical
from toolsearch_model.texts import normal_form

_MAX_HELD_OUT = 3000
# Of a small collection at most one group in twenty is held out.
_HELD_OUT_PART = 20
_NO_TRANSLATIONS = ("see also", "see ", "->")


@dataclass(frozen=True)
class Merged:
    """Strings with their language and group. The first string of a group is its head, English mostly."""

    texts: list[str]
    language: NDArray[np.int16]
    """Of each string, a place in `languages`."""
    group: NDArray[np.int32]
    source: NDArray[np.int16]
    """Of each string, a place in `sources`."""
    languages: list[str]
    sources: list[str]
    held_out: NDArray[np.int32]
    """Groups that are never learned from; they show how well others are translated."""

    def save(self, folder: Path) -> None:
        """Two files: the texts, one a line, and the numbers."""
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "texts.txt").open("w", encoding="utf8", newline="\n") as file:
            file.writelines(text + "\n" for text in self.texts)
        names = json.dumps({"languages": self.languages, "sources": self.sources})
        (folder / "names.json").write_text(names, encoding="utf8")
        np.savez(
            folder / "numbers.npz",
            language=self.language,
            group=self.group,
            source=self.source,
            held_out=self.held_out,
        )

    @classmethod
    def load(cls, folder: Path) -> "Merged":
        """What `save` wrote."""
        with (folder / "texts.txt").open(encoding="utf8", newline="\n") as file:
            texts = [line.removesuffix("\n") for line in file]
        names = json.loads((folder / "names.json").read_text(encoding="utf8"))
        with np.load(folder / "numbers.npz") as numbers:
            return cls(texts, **names, **{name: numbers[name] for name in numbers.files})

    def heads(self) -> NDArray[np.bool_]:
        """True for the first string of each group."""
        first = np.zeros(len(self.texts), bool)
        first[np.unique(self.group, return_index=True)[1]] = True
        return first

    def learned(self) -> NDArray[np.bool_]:
        """True for the strings whose group isn't held out."""
        held = np.zeros(int(self.group.max()) + 1, bool)
        held[self.held_out] = True
        return ~held[self.group]

    def held_out_pairs(self) -> list[tuple[str, str, str]]:
        """Head, language and text of what is held out."""
        heads: dict[int, str] = {}
        pairs = []
        for place in np.nonzero(~self.learned())[0]:
            group = int(self.group[place])
            if group in heads:
                language = self.languages[self.language[place]]
                pairs.append((heads[group], language, self.texts[place]))
            else:
                heads[group] = self.texts[place]
        return pairs


def merge(files: list[Path], exclusion: Exclusion, seed: int = 0) -> Merged:
    """Reads all files. A group has the translations of one head, whatever its case and punctuation;
    a translation that meets a question is left out, and so is a head with all its translations."""
    gc.disable()  # millions of small objects, none of them in a circle
    merging = _Merging(exclusion)
    for source, file in enumerate(files):
        for row in read_rows(file):
            merging.add(source, *row)
    gc.enable()
    return merging.finish([file.name for file in files], seed)


def least_strings(total: int) -> int:
    """A language with fewer strings than this teaches nothing; a small collection asks for less."""
    return min(300, total // 1000)


class _Merging:
    def __init__(self, exclusion: Exclusion):
        self._exclusion = exclusion
        self._groups: dict[tuple[str, str], int] = {}
        self._languages: dict[str, int] = {}
        self._seen: set[bytes] = set()
        self._texts: list[str] = []
        self._language = array.array("h")
        self._group = array.array("i")
        self._source = array.array("h")

    def add(self, source: int, head_language: str, head: str, language: str, text: str) -> None:
        if text.lower().startswith(_NO_TRANSLATIONS):
            return
        head_form, form = normal_form(head), normal_form(text)
        if len(head_form) < 2 or not form or form == head_form:
            return
        if self._exclusion.meets_form(head_form) or self._exclusion.meets_form(form):
            return
        head_language = canonical(head_language)
        group = self._groups.get((head_language, head_form))
        if group is None:
            group = self._groups[head_language, head_form] = len(self._groups)
            self._append(head, head_language, group, source)
        language = canonical(language)
        # Eight bytes instead of the string; not Python's own hash, which is another one in each run.
        seen = blake2b(f"{group} {language} {form}".encode(), digest_size=8).digest()
        if seen not in self._seen:
            self._seen.add(seen)
            self._append(text, language, group, source)

    def finish(self, sources: list[str], seed: int) -> Merged:
        english = sorted(group for (language, _), group in self._groups.items() if language == "en")
        count = min(_MAX_HELD_OUT, len(english) // _HELD_OUT_PART)
        held = sorted(random.Random(seed).sample(english, count))
        return Merged(
            self._texts,
            np.frombuffer(self._language, np.int16),
            np.frombuffer(self._group, np.int32),
            np.frombuffer(self._source, np.int16),
            list(self._languages),
            sources,
            np.array(held, np.int32),
        )

    def _append(self, text: str, language: str, group: int, source: int) -> None:
        self._texts.append(text)
        self._language.append(self._languages.setdefault(language, len(self._languages)))
        self._group.append(group)
        self._source.append(source)


def told(merged: Merged) -> str:
    """One line of figures."""
    counts = Counter(dict(enumerate(np.bincount(merged.language, minlength=len(merged.languages)))))
    largest = " ".join(f"{merged.languages[one]}:{count}" for one, count in counts.most_common(20))
    groups = int(merged.group.max()) + 1 if len(merged.group) else 0
    return f"{len(merged.texts)} strings in {groups} groups, most in {largest}"

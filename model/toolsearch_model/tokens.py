"""Collects all that is learned from and turns it into tokens."""

import random
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from toolsearch_model import lithuanian, operations, written
from toolsearch_model.corpus import Corpus, Kind
from toolsearch_model.exclusion import Exclusion
from toolsearch_model.languages import WIDELY_SPOKEN
from toolsearch_model.merge import Merged, least_strings
from toolsearch_model.operations import Operation
from toolsearch_model.ragged import Ragged
from toolsearch_model.texts import with_typing_error, without_marks
from toolsearch_model.tokenizer import Piece, build
from toolsearch_model.written import Line

_MOST_STRINGS = 150_000
_UNBOUNDED = frozenset({"lt"})
_ASSISTANTS = ("ovos", "home", "magicmirror")
_STRING_TOKENS = 64
_OPERATION_TOKENS = 96
_BARE_PART = 0.4
_TYPING_ERROR_PART = 0.05
_HELD_OUT_REQUESTS = 10

Pair = tuple[str, str]


@dataclass
class _Strings:
    """The columns of a `Corpus` while they grow."""

    texts: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    heads: list[bool] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    next_group: int = 0

    def add(self, group: int, language: str, text: str, kind: Kind) -> None:
        self._append(group, language, text, kind, False)

    def add_group(self, english: str, kind: Kind) -> int:
        """A group of its own, with its head."""
        group = self.next_group
        self.next_group += 1
        self._append(group, "en", english, kind, True)
        return group

    def extend(self, strings: "_Strings") -> None:
        """Appends whole columns whose groups are numbered from 0."""
        self.texts += strings.texts
        self.languages += strings.languages
        self.groups += [group + self.next_group for group in strings.groups]
        self.heads += strings.heads
        self.kinds += strings.kinds
        self.next_group += strings.next_group

    def _append(self, group: int, language: str, text: str, kind: Kind, is_head: bool) -> None:
        self.texts.append(text)
        self.languages.append(language)
        self.groups.append(group)
        self.heads.append(is_head)
        self.kinds.append(kind)


def collect(
    merged: Merged,
    vocabulary: list[Piece],
    summaries: list[Pair],
    found: list[Operation],
    exclusion: Exclusion,
) -> Corpus:
    """Everything as tokens. No text of it meets a question."""
    strings = _of_packages(merged)
    kept, _ = split_requests(written.requests())
    for lines, kind in ((written.sentences(), Kind.SENTENCE), (kept, Kind.REQUEST)):
        strings.extend(_of_lines(lines, kind, exclusion))
    generated = [Line(english, [("lt", text)]) for english, text in lithuanian.phrases()]
    strings.extend(_of_lines(generated, Kind.GENERATED, exclusion))
    chance = random.Random(0)
    operation_pairs = [pair for one in found for pair in operations.pairs(one, chance)]
    return _encode(
        strings,
        [pair for pair in summaries if not _meets(pair, exclusion)],
        [pair for pair in operation_pairs if not _meets(pair, exclusion)],
        vocabulary,
    )


def split_requests(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """Those that are learned from, and about a tenth, always the same ones, that are held out."""
    kept: list[Line] = []
    held: list[Line] = []
    for line in lines:
        is_held = zlib.crc32(line.english.encode()) % _HELD_OUT_REQUESTS == 7
        (held if is_held else kept).append(line)
    return kept, held


def _meets(pair: Pair, exclusion: Exclusion) -> bool:
    return exclusion.meets(pair[0]) or exclusion.meets(pair[1])


def _of_packages(merged: Merged) -> _Strings:
    """At most so many strings a language, and none of a language with hardly any."""
    heads = merged.heads()
    learned = merged.learned()
    chosen = learned.copy()
    least = least_strings(len(merged.texts))
    chance = np.random.default_rng(0)
    for number, language in enumerate(merged.languages):
        places = np.nonzero((merged.language == number) & learned & ~heads)[0]
        most = _MOST_STRINGS if language in WIDELY_SPOKEN else _MOST_STRINGS // 2
        if len(places) < least:
            chosen[places] = False
        elif len(places) > most and language not in _UNBOUNDED:
            chosen[chance.permutation(places)[most:]] = False
    translated = np.zeros(int(merged.group.max(initial=-1)) + 1, bool)
    translated[merged.group[chosen & ~heads]] = True
    places = np.nonzero(chosen & translated[merged.group])[0]
    _, groups = np.unique(merged.group[places], return_inverse=True)
    is_assistant = [source.startswith(_ASSISTANTS) for source in merged.sources]
    strings = _Strings(next_group=int(groups.max(initial=-1)) + 1)
    for place, group in zip(places.tolist(), groups.tolist()):
        strings.texts.append(merged.texts[place])
        strings.languages.append(merged.languages[merged.language[place]])
        strings.groups.append(group)
        strings.heads.append(bool(heads[place]))
        is_said = is_assistant[merged.source[place]] and not heads[place]
        strings.kinds.append(Kind.ASSISTANT if is_said else Kind.PACKAGE)
    return strings


def _of_lines(lines: Iterable[Line], kind: Kind, exclusion: Exclusion) -> _Strings:
    """A group for each English text, unless nothing is left of it."""
    strings = _Strings()
    groups: dict[str, int] = {}
    for line in lines:
        key = line.english.lower()
        wordings = [(code, text) for code, text in line.wordings if not exclusion.meets(text)]
        if not wordings or exclusion.meets(line.english):
            continue
        if key not in groups:
            groups[key] = strings.add_group(line.english, kind)
        for language, text in wordings:
            strings.add(groups[key], language, text, kind)
    return strings


def _encode(
    strings: _Strings, summaries: list[Pair], operation_pairs: list[Pair], vocabulary: list[Piece]
) -> Corpus:
    tokenizer = build(vocabulary)

    def tokens(texts: Iterable[str], limit: int = _STRING_TOKENS) -> Ragged:
        return Ragged.encode(tokenizer, list(texts), limit)

    openers = written.openers()
    languages = sorted({*strings.languages, *(language for language, _ in openers)})
    number = {language: place for place, language in enumerate(languages)}
    group = np.array(strings.groups, np.int32)
    is_head = np.array(strings.heads, bool)
    members = np.argsort(group, kind="stable")
    heads = np.full(strings.next_group, -1, np.int64)
    heads[group[is_head]] = np.nonzero(is_head)[0]
    noisy, noisy_of = _noisy_copies(strings)
    english = [strings.texts[head].lower().split() if head >= 0 else [] for head in heads]
    return Corpus(
        strings=tokens(strings.texts),
        language=np.array([number[language] for language in strings.languages], np.int16),
        group=group,
        is_head=is_head,
        kind=np.array(strings.kinds, np.int8),
        noisy=tokens(noisy),
        noisy_of=noisy_of,
        members=members,
        member_offsets=np.searchsorted(group[members], np.arange(strings.next_group + 1)),
        heads=heads,
        by_first_word=np.array(sorted(range(len(english)), key=english.__getitem__), np.int64),
        by_last_word=np.array(
            sorted(range(len(english)), key=lambda one: english[one][::-1]), np.int64
        ),
        summary_names=tokens(name for name, _ in summaries),
        summaries=tokens(text for _, text in summaries),
        operation_names=tokens((name for name, _ in operation_pairs), _OPERATION_TOKENS),
        operations=tokens((text for _, text in operation_pairs), _OPERATION_TOKENS),
        openers=tokens(text for _, text in openers),
        opener_language=np.array([number[language] for language, _ in openers], np.int16),
        languages=np.array(languages),
    )


def _noisy_copies(strings: _Strings) -> tuple[list[str], np.ndarray]:
    """Copies without marks, of Lithuanian always; of a few texts without marks one with an error."""
    chance = random.Random(0)
    copies: list[str] = []
    copy_of = np.full(len(strings.texts), -1, np.int64)
    for place, (text, language) in enumerate(zip(strings.texts, strings.languages)):
        if not any("a" <= letter <= "z" for letter in text.lower()):
            continue
        bare = without_marks(text)
        if bare == text:
            is_copied = chance.random() < _TYPING_ERROR_PART
            bare = with_typing_error(text, chance)
        else:
            is_copied = language == "lt" or chance.random() < _BARE_PART
        if is_copied:
            copy_of[place] = len(copies)
            copies.append(bare)
    return copies, copy_of

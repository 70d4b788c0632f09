"""Chooses the pieces that get a vector of their own.

Two kinds: the pieces of XLM-R that text in small letters really uses, and whole words that XLM-R would
cut. A static model adds up the vectors of a word's pieces, so a word in one piece can have its own
meaning, and one in several pieces only what these have in common with other words.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from tokenizers import Tokenizer

from toolsearch_model.languages import NO_LANGUAGES, WIDELY_SPOKEN, shares
from toolsearch_model.pieces import XLMR_UNKNOWN
from toolsearch_model.texts import without_marks
from toolsearch_model.tokenizer import UNKNOWN, WORD_MARK, Piece, build

Everyday = Callable[[str], dict[str, float]]
"""From a language to how often people use each word, as parts of all words; empty for a language unknown."""

_BETWEEN_WORDS = re.compile(
    r"[^\w\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f]+|_"  # marks that \w doesn't know are kept
)
# Scripts without blanks, and digits: what stands between blanks there is no word.
_NO_WORD_SCRIPTS = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af0-9]"
)
_UNSPACED_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2,5}")
_UNSPACED_LANGUAGES = ("zh", "ja")
_UNSPACED_PART = 0.03
_LEAST_UNSPACED_USE = 1e-6
_LEAST_WORD_COUNT = 8
# The parts of a language's whole words in the vocabulary. English is the language of tools' texts;
# Lithuanian inflects most of those that this project's users speak.
_WORD_PARTS = {"en": 0.12, "lt": 0.08}
_TRAINED_LANGUAGES = frozenset("de fr es pt pl uk tr zh ja ar".split())
_TRAINED_PART = 0.036
_WIDELY_SPOKEN_PART = 0.009
_OTHERS_OF_SHARE = 0.3
# How many of a language's words are typed without marks.
_TYPED_BARE = {
    "lt": 0.25,
    "lv": 0.1,
    "pl": 0.1,
    "es": 0.1,
    "pt": 0.1,
    "tr": 0.1,
    "cs": 0.1,
    "sk": 0.1,
    "ro": 0.1,
    "hu": 0.1,
    "fr": 0.05,
    "de": 0.05,
}
_WORD_LENGTHS = range(3, 23)
# A whole word is a little likelier than its parts together, so that the tokenizer takes it.
_WORD_BONUS = 1.0
_WORDS_AT_ONCE = 100_000
_XLMR_SPECIAL_ROWS = 4
_MAX_PIECE_BYTES = 255


@dataclass(frozen=True)
class Sizes:
    """How many of each kind."""

    pieces: int = 70_000
    words: int = 54_000
    characters: int = 4_600
    """Letters beyond the pieces, so that few are unknown."""


@dataclass
class _Use:
    """How often words occur: in what is learned from, as a piece's weight, and as a whole word's."""

    counts: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    as_pieces: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    as_words: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))


def choose(
    texts: dict[str, list[str]], xlmr: list[Piece], everyday: Everyday, sizes: Sizes
) -> list[Piece]:
    """The vocabulary: the unknown piece, the word mark, then XLM-R's pieces in its order, then whole words.

    `texts` are by language and hold a text as often as it shall count.
    """
    cutter = build(xlmr, XLMR_UNKNOWN)
    use = _count(texts, everyday)
    weights, words = _weigh(use, xlmr, cutter)
    for language in _UNSPACED_LANGUAGES:
        words += _unspaced_words(everyday(language), xlmr, cutter)
    kept = _chosen_rows(weights, xlmr, sizes)
    vocabulary: dict[str, float] = {UNKNOWN: 0.0, WORD_MARK: dict(xlmr).get(WORD_MARK, 0.0)}
    for row in sorted(kept):
        piece, score = xlmr[row]
        vocabulary.setdefault(piece, round(score, 3))
    words.sort(reverse=True)
    for _, word, score in words[: sizes.words]:
        vocabulary.setdefault(word, round(score, 3))
    return list(vocabulary.items())


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, marks kept."""
    return _BETWEEN_WORDS.sub(" ", text.lower()).split()


def _count(texts: dict[str, list[str]], everyday: Everyday) -> _Use:
    use = _Use()
    drawn = shares({language: len(some) for language, some in texts.items()})
    for language, some in texts.items():
        counts: dict[str, float] = defaultdict(float)
        for text in some:
            for word in words_of(text):
                counts[word] += 1
        total = sum(counts.values())
        if total == 0:
            continue
        _add_everyday(counts, everyday(language))
        with_everyday = sum(counts.values())
        _add_bare(counts, _TYPED_BARE.get(language, 0.0))
        word_part = _word_part(language, drawn[language])
        for word, count in counts.items():
            use.counts[word] += count
            use.as_pieces[word] += count / with_everyday * drawn[language]
            use.as_words[word] += count / with_everyday * word_part
    return use


def _add_everyday(counts: dict[str, float], frequencies: dict[str, float]) -> None:
    """Half of a language's weight comes from how often people use a word, whatever software says."""
    if not frequencies:
        return
    scale = sum(counts.values()) / sum(frequencies.values())
    for word, frequency in frequencies.items():
        if frequency * scale >= 1:
            counts[word] += frequency * scale


def _add_bare(counts: dict[str, float], part: float) -> None:
    if part == 0:
        return
    for word, count in list(counts.items()):
        bare = without_marks(word)
        if bare != word:
            counts[bare] += count * part


def _word_part(language: str, drawn: float) -> float:
    if language in _WORD_PARTS:
        return _WORD_PARTS[language]
    if language in _TRAINED_LANGUAGES:
        return _TRAINED_PART
    if language in WIDELY_SPOKEN:
        return _WIDELY_SPOKEN_PART
    return 0.0 if language in NO_LANGUAGES else _OTHERS_OF_SHARE * drawn


_Candidate = tuple[float, str, float]
"""Gain, piece, score."""


def _weigh(use: _Use, xlmr: list[Piece], cutter: Tokenizer) -> tuple[np.ndarray, list[_Candidate]]:
    """How much each of XLM-R's pieces is used, and what each word would gain by a piece of its own."""
    weights = np.zeros(len(xlmr))
    candidates: list[_Candidate] = []
    words = [word for word, count in use.counts.items() if count >= 2 or use.as_pieces[word] > 1e-8]
    for word, rows in _cut(cutter, words):
        np.add.at(weights, rows, use.as_pieces[word])
        if len(rows) > 1 and use.counts[word] >= _LEAST_WORD_COUNT and _may_be_whole(word):
            score = sum(xlmr[row][1] for row in rows) + _WORD_BONUS
            candidates.append((use.as_words[word] * (len(rows) - 1), WORD_MARK + word, score))
    return weights, candidates


def _may_be_whole(word: str) -> bool:
    if len(word) not in _WORD_LENGTHS or not word.isalpha():
        return False
    return len((WORD_MARK + word).encode()) <= _MAX_PIECE_BYTES and not _NO_WORD_SCRIPTS.search(
        word
    )


def _unspaced_words(
    frequencies: dict[str, float], xlmr: list[Piece], cutter: Tokenizer
) -> list[_Candidate]:
    """Words of scripts without blanks stand inside a run of text, so their pieces have no word mark."""
    used = {
        word: frequency
        for word, frequency in frequencies.items()
        if frequency > _LEAST_UNSPACED_USE and _UNSPACED_WORD.fullmatch(word)
    }
    candidates = []
    for word, rows in _cut(cutter, list(used)):
        parts = [row for row in rows if xlmr[row][0] != WORD_MARK]
        whole = "".join(xlmr[row][0] for row in parts).removeprefix(WORD_MARK)
        if len(parts) > 1 and whole == word:
            score = sum(xlmr[row][1] for row in parts) + _WORD_BONUS
            candidates.append((used[word] * _UNSPACED_PART * (len(parts) - 1), word, score))
    return candidates


def _cut(cutter: Tokenizer, words: list[str]) -> Iterable[tuple[str, list[int]]]:
    for start in range(0, len(words), _WORDS_AT_ONCE):
        some = words[start : start + _WORDS_AT_ONCE]
        for word, encoding in zip(some, cutter.encode_batch(some, add_special_tokens=False)):
            yield word, encoding.ids


def _chosen_rows(weights: np.ndarray, xlmr: list[Piece], sizes: Sizes) -> set[int]:
    """The most used pieces, and beyond them the most used letters."""
    weights[:_XLMR_SPECIAL_ROWS] = 0
    order = [int(row) for row in np.argsort(-weights, kind="stable") if weights[row] > 0]
    kept = order[: sizes.pieces]
    rest = [(row, xlmr[row][0]) for row in order[sizes.pieces :]]
    letters = [row for row, piece in rest if len(piece) == 1 and piece != WORD_MARK]
    return set(kept + letters[: sizes.characters])

"""Which texts the vocabulary is chosen by, and how often each counts."""

import json
import random
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
from wordfreq import available_languages, get_frequency_dict

from toolsearch_model import lithuanian, written
from toolsearch_model.exclusion import Exclusion
from toolsearch_model.merge import Merged, least_strings
from toolsearch_model.operations import Operation
from toolsearch_model.texts import words_of_name
from toolsearch_model.tokenizer import Piece

_MOST = {"lt": 400_000, "en": 250_000}
_MOST_OF_OTHERS = 60_000
_MOST_SUMMARIES = 150_000
# How often a written text counts, beside a string of a package.
_SENTENCE_TIMES = {"lt": 60}
_SENTENCE_TIMES_OTHERS = 20
_SENTENCE_TIMES_ENGLISH = 3
_REQUEST_TIMES = 15
_GENERATED_TIMES = 2
_OTHER_NAMES = {"hr": "sh", "sr": "sh", "bs": "sh", "tl": "fil"}
_WORDLIKE = re.compile(r"[^\W\d_]{2,24}")
_LEAST_USE = 2e-7


def texts_by_language(
    merged: Merged,
    summaries: list[tuple[str, str]],
    operations: list[Operation],
    exclusion: Exclusion,
) -> dict[str, list[str]]:
    """All that is learned from, at most so much a language; languages with hardly any text are left out."""
    texts = _of_packages(merged)
    for language, text, times in _written():
        if not exclusion.meets(text):
            texts[language] += [text] * times
    some = random.Random(0).sample(summaries, min(_MOST_SUMMARIES, len(summaries)))
    texts["en"] += [f"{name} {summary}" for name, summary in some]
    texts["en"] += [_told(operation) for operation in operations[::2]]
    least = least_strings(len(merged.texts))
    return {language: some for language, some in texts.items() if len(some) >= max(least, 1)}


def everyday_words(language: str) -> dict[str, float]:
    """How often people use each word, by the package wordfreq; empty if it doesn't know the language."""
    name = _OTHER_NAMES.get(language, language)
    if name not in available_languages():
        return {}
    return {
        word: frequency
        for word, frequency in get_frequency_dict(name, "best").items()
        if frequency > _LEAST_USE and _WORDLIKE.fullmatch(word)
    }


def save_vocabulary(path: Path, vocabulary: list[Piece]) -> None:
    """Pieces and scores as JSON."""
    path.write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf8")


def load_vocabulary(path: Path) -> list[Piece]:
    """What `save_vocabulary` wrote."""
    return [(piece, score) for piece, score in json.loads(path.read_text(encoding="utf8"))]


def _of_packages(merged: Merged) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = defaultdict(list)
    for place in np.random.default_rng(0).permutation(np.nonzero(merged.learned())[0]):
        language = merged.languages[merged.language[place]]
        if len(texts[language]) < _MOST.get(language, _MOST_OF_OTHERS):
            texts[language].append(merged.texts[place])
    return texts


def _written() -> list[tuple[str, str, int]]:
    """Language, text and how often it counts."""
    found = []
    for line in written.sentences():
        found.append(("en", line.english, _SENTENCE_TIMES_ENGLISH))
        for language, text in line.wordings:
            times = _SENTENCE_TIMES.get(language, _SENTENCE_TIMES_OTHERS)
            found.append((language, text, times))
    for line in written.requests():
        found.append(("en", line.english, _SENTENCE_TIMES_ENGLISH))
        found += [(language, text, _REQUEST_TIMES) for language, text in line.wordings]
    for english, text in lithuanian.phrases():
        found += [("en", english, 1), ("lt", text, _GENERATED_TIMES)]
    return found


def _told(operation: Operation) -> str:
    parameters = " ".join(words_of_name(name) for name, _ in operation.parameters)
    name, service = words_of_name(operation.name), words_of_name(operation.service)
    return f"{name} {service} {operation.description[:300]} {parameters}"

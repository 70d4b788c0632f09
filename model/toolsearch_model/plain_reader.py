"""Reads texts with a `ModelFile` alone: a guide for other languages, and the check of what is exported."""

import unicodedata

import numpy as np
from numpy.typing import NDArray

from toolsearch_model.model_file import ModelFile
from toolsearch_model.tokenizer import WORD_MARK

_UNKNOWN_PENALTY = 10.0
"""How far the score of an unknown letter lies below that of the worst piece."""
_IGNORED = "\u200d\u00ad"


class PlainReader:
    """Tokens and vectors from a `ModelFile` without any tokenizer library, by the rules that the crate has."""

    def __init__(self, model: ModelFile):
        self._rows = {piece: row for row, (piece, _) in enumerate(model.pieces)}
        self._scores = [score for _, score in model.pieces]
        self._longest = max(len(piece) for piece in self._rows)
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._vectors = model.vectors()

    def tokens(self, text: str) -> list[int]:
        """The rows of a text's pieces, unknown ones left out."""
        return [row for word in _words(text) for row in self._cut(WORD_MARK + word) if row != 0]

    def vector(self, text: str) -> NDArray[np.float32]:
        """The sum of the pieces' vectors at length 1, or zero if no piece is known."""
        total = self._vectors[self.tokens(text)].sum(axis=0)
        length = np.linalg.norm(total)
        return total / length if length > 0 else total

    def _cut(self, word: str) -> list[int]:
        """Of all ways to cut a word the one with the highest sum of scores."""
        best = [(float("-inf"), 0, 0)] * (len(word) + 1)  # score, start and row of the last piece
        best[0] = (0.0, 0, 0)
        for start in range(len(word)):
            score = best[start][0]
            has_letter = False
            for end in range(start + 1, min(len(word), start + self._longest) + 1):
                row = self._rows.get(word[start:end])
                if row is None:
                    continue
                has_letter |= end == start + 1
                if score + self._scores[row] > best[end][0]:
                    best[end] = (score + self._scores[row], start, row)
            if not has_letter and score + self._unknown_score > best[start + 1][0]:
                best[start + 1] = (score + self._unknown_score, start, 0)
        rows = []
        end = len(word)
        while end > 0:
            _, start, row = best[end]
            rows.append(row)
            end = start
        return rows[::-1]


def _words(text: str) -> list[str]:
    # Letter by letter, because of the last sigma of a word, which has no rule of its own here.
    lowered = "".join(letter.lower() for letter in unicodedata.normalize("NFKC", text))
    kept = (letter for letter in lowered if letter not in _IGNORED)
    return "".join(
        letter if unicodedata.category(letter)[0] in "LMN" else " " for letter in kept
    ).split()

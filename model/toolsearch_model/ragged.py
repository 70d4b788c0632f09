"""Lists of tokens of different lengths, all in one array."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

_TEXTS_AT_ONCE = 100_000


@dataclass(frozen=True)
class Ragged:
    """List `i` is `tokens[offsets[i] : offsets[i + 1]]`."""

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    """One more than there are lists; the first is 0."""

    @classmethod
    def of(cls, lists: list[list[int]]) -> "Ragged":
        """From plain lists."""
        lengths = np.array([len(tokens) for tokens in lists], np.int64)
        flat = [token for tokens in lists for token in tokens]
        return cls(np.array(flat, np.int32), _offsets(lengths))

    @classmethod
    def encode(cls, tokenizer: Tokenizer, texts: list[str], limit: int) -> "Ragged":
        """The tokens of each text, at most `limit`; unknown ones (0) are left out."""
        tokenizer.enable_truncation(limit)
        parts, lengths = [], []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = texts[start : start + _TEXTS_AT_ONCE]
            encoded = tokenizer.encode_batch_fast(some, add_special_tokens=False)
            part = cls.of([encoding.ids for encoding in encoded])
            known = part.tokens != 0
            parts.append(part.tokens[known])
            lengths.append(np.bincount(part.owners()[known], minlength=len(some)))
        if not parts:
            return cls.of([])
        return cls(np.concatenate(parts), _offsets(np.concatenate(lengths)))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def lengths(self) -> NDArray[np.int64]:
        """Tokens in each list."""
        return np.diff(self.offsets)

    def owners(self) -> NDArray[np.int64]:
        """For each token the number of its list."""
        return np.repeat(np.arange(len(self)), self.lengths())

    def followed_by(self, other: "Ragged") -> "Ragged":
        """The lists of both, these first."""
        offsets = np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]])
        return Ragged(np.concatenate([self.tokens, other.tokens]), offsets)

    def take(self, chosen: NDArray[np.int64], limit: int) -> "Ragged":
        """The chosen lists, cut after `limit` tokens; -1 chooses an empty one."""
        starts = self.offsets[chosen]
        lengths = np.minimum(self.offsets[chosen + 1] - starts, limit)
        lengths[chosen < 0] = 0
        return Ragged(self.tokens[_positions(starts, lengths)], _offsets(lengths))

    def thinned(self, part: float, chance: np.random.Generator) -> "Ragged":
        """Without about a `part` of the tokens; no list that has any loses all of them."""
        owners, lengths = self.owners(), self.lengths()
        kept = (chance.random(len(self.tokens), np.float32) >= part) | (lengths[owners] == 1)
        left = np.bincount(owners[kept], minlength=len(self))
        emptied = (left == 0) & (lengths > 0)
        kept[self.offsets[:-1][emptied]] = True
        left[emptied] = 1
        return Ragged(self.tokens[kept], _offsets(left))

    def joined(self, behind: "Ragged") -> "Ragged":
        """List by list these tokens and then those of `behind`, which has as many lists."""
        lengths, more = self.lengths(), behind.lengths()
        offsets = _offsets(lengths + more)
        tokens = np.empty(len(self.tokens) + len(behind.tokens), np.int32)
        tokens[_positions(offsets[:-1], lengths)] = self.tokens
        tokens[_positions(offsets[:-1] + lengths, more)] = behind.tokens
        return Ragged(tokens, offsets)


def _offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _positions(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions of all tokens of slices that start at `starts` and have `lengths`."""
    shift = np.repeat(starts - _offsets(lengths)[:-1], lengths)
    return np.arange(len(shift)) + shift

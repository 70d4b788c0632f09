"""What training reads: all strings as tokens, who means the same as whom, and pairs of English texts."""

from dataclasses import dataclass, fields
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolsearch_model.ragged import Ragged


class Kind(IntEnum):
    """Where a string comes from."""

    PACKAGE = 0
    SENTENCE = 1
    """Written for this model: everyday sentences and abilities."""
    GENERATED = 2
    ASSISTANT = 3
    """A package of voice assistants or smart homes."""
    REQUEST = 4
    """Written for this model: how people ask for an operation."""


@dataclass(frozen=True)
class Corpus:
    """Strings are numbered from 0, groups of strings that mean the same as well."""

    strings: Ragged
    language: NDArray[np.int16]
    """Of each string, a place in `languages`."""
    group: NDArray[np.int32]
    is_head: NDArray[np.bool_]
    """True for a group's English text."""
    kind: NDArray[np.int8]
    noisy: Ragged
    """Copies as people type: without marks, with an error."""
    noisy_of: NDArray[np.int64]
    """Of each string its noisy copy, -1 if it has none."""
    members: NDArray[np.int64]
    """The strings of group 0, then those of group 1, and so on."""
    member_offsets: NDArray[np.int64]
    heads: NDArray[np.int64]
    """Of each group its head, -1 if it has none."""
    by_first_word: NDArray[np.int64]
    """The groups in the order of their English texts: neighbours begin alike and mean something else."""
    by_last_word: NDArray[np.int64]
    """The same by the words from the last to the first."""
    summary_names: Ragged
    summaries: Ragged
    operation_names: Ragged
    operations: Ragged
    """Neighbours are operations of one service."""
    openers: Ragged
    opener_language: NDArray[np.int16]
    languages: NDArray[np.str_]

    def save(self, path: Path) -> None:
        """One file of arrays."""
        arrays: dict[str, NDArray] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Ragged):
                arrays[f"{field.name}.tokens"] = value.tokens
                arrays[f"{field.name}.offsets"] = value.offsets
            else:
                arrays[field.name] = value
        np.savez(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> "Corpus":
        """What `save` wrote."""
        with np.load(path) as arrays:
            values = {
                field.name: Ragged(arrays[f"{field.name}.tokens"], arrays[f"{field.name}.offsets"])
                if f"{field.name}.tokens" in arrays
                else arrays[field.name]
                for field in fields(cls)
            }
        return cls(**values)

    def token_counts(self, rows: int) -> NDArray[np.int64]:
        """How often each row of the vocabulary occurs in all texts."""
        texts = (self.strings, self.noisy, self.summary_names, self.summaries)
        counts = np.zeros(rows, np.int64)
        for lists in (*texts, self.operation_names, self.operations):
            counts += np.bincount(lists.tokens, minlength=rows)
        return counts

"""Draws the batches that training learns from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolsearch_model.corpus import Corpus, Kind
from toolsearch_model.languages import shares
from toolsearch_model.ragged import Ragged

# Parts of all batches, by what they are made of.
_MIX = {
    "translations": 0.31,
    "neighbours": 0.14,
    "sentences": 0.10,
    "requests": 0.08,
    "summaries": 0.16,
    "operations": 0.12,
    "siblings": 0.09,
}
_OTHER_WORDING_PART = 0.25
_OTHER_WORDING_PART_OF_REQUESTS = 0.5
_OPENER_PART = 0.15
_NOISY_PART = 0.25
_LEFT_OUT = 0.1
_LEFT_OUT_OF_PAIRS = 0.15
_LEFT_OUT_OF_SOME_NAMES = 0.4
_STRING_TOKENS = 64
_NAME_TOKENS = 48
_TEXT_TOKENS = 96
# How many neighbours in an order of groups are drawn with one, and how far apart at most.
_NEIGHBOURS = 7
_NEIGHBOUR_STRIDE = 5
_SIBLINGS = 6
_SIBLING_STRIDE = 4

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Query `i` means the same as document `i` and something else than all others."""

    kind: str
    queries: Ragged
    documents: Ragged


class _Pool:
    """Strings, drawn by language and then by lot."""

    def __init__(self, corpus: Corpus, chosen: NDArray[np.bool_]):
        places = np.nonzero(chosen & (corpus.strings.lengths() > 0))[0]
        self._places = places[np.argsort(corpus.language[places], kind="stable")]
        languages = np.arange(len(corpus.languages) + 1)
        self._starts = np.searchsorted(corpus.language[self._places], languages)
        self._counts = np.diff(self._starts)
        present = {number: int(count) for number, count in enumerate(self._counts) if count}
        parts = np.zeros(len(self._counts))
        if present:
            drawn = shares({str(corpus.languages[one]): count for one, count in present.items()})
            parts[list(present)] = list(drawn.values())
        self._bounds = np.cumsum(parts)

    def __len__(self) -> int:
        return len(self._places)

    def draw(self, count: int, chance: np.random.Generator) -> Places:
        if len(self) == 0:
            return np.zeros(0, np.int64)
        language = np.searchsorted(self._bounds, chance.random(count) * self._bounds[-1], "right")
        language = np.minimum(language, np.nonzero(self._counts)[0][-1])
        within = (chance.random(count) * self._counts[language]).astype(np.int64)
        return self._places[self._starts[language] + within]


class Batches:
    """Batches without end; the same ones for the same `chance`."""

    def __init__(self, corpus: Corpus, size: int, chance: np.random.Generator):
        self._corpus = corpus
        self._size = size
        self._chance = chance
        kind, is_translation = corpus.kind, ~corpus.is_head
        self._translations = _Pool(corpus, is_translation & (kind != Kind.REQUEST))
        self._sentences = _Pool(corpus, is_translation & (kind == Kind.SENTENCE))
        self._generated = _Pool(corpus, is_translation & (kind == Kind.GENERATED))
        self._assistants = _Pool(corpus, is_translation & (kind == Kind.ASSISTANT))
        self._requests = _Pool(corpus, is_translation & (kind == Kind.REQUEST))
        self._all_strings = corpus.strings.followed_by(corpus.noisy)
        self._lengths = self._all_strings.lengths()
        self._orders = [
            (order, np.argsort(order)) for order in (corpus.by_first_word, corpus.by_last_word)
        ]
        self._openers = _openers_by_language(corpus)
        self._draw = {
            "translations": lambda: self._strings(
                "translations", self._translations.draw(size, chance)
            ),
            "neighbours": lambda: self._strings("neighbours", self._with_neighbours()),
            "sentences": lambda: self._strings("sentences", self._everyday()),
            "requests": lambda: self._strings(
                "requests", self._wishes(), _OTHER_WORDING_PART_OF_REQUESTS
            ),
            "summaries": lambda: self._pairs("summaries", self._lot(len(corpus.summaries))),
            "operations": lambda: self._pairs("operations", self._lot(len(corpus.operations))),
            "siblings": lambda: self._pairs("siblings", self._siblings()),
        }
        has = {
            "requests": len(self._requests) > 0,
            "summaries": len(corpus.summaries) >= size // 2,
            "operations": len(corpus.operations) >= size // 2,
            "siblings": len(corpus.operations) >= size // 2,
        }
        self._kinds = [kind for kind in _MIX if has.get(kind, True)]
        parts = np.array([_MIX[kind] for kind in self._kinds])
        self._parts = parts / parts.sum()

    def next(self) -> Batch:
        """One batch, of up to the size: what means the same is in it only once."""
        kind = self._chance.choice(self._kinds, p=self._parts)
        return self._draw[kind]()

    def _everyday(self) -> Places:
        """Written, generated and assistants' sentences among other strings."""
        pools = [
            (self._sentences, 4),
            (self._generated, 5),
            (self._assistants, 3),
            (self._translations, 5),
        ]
        return np.concatenate([pool.draw(self._size // part, self._chance) for pool, part in pools])

    def _wishes(self) -> Places:
        few = self._size // 4
        requests = self._requests.draw(self._size - few, self._chance)
        return np.concatenate([requests, self._translations.draw(few, self._chance)])

    def _with_neighbours(self) -> Places:
        """Strings with some whose English texts begin or end alike: "delete file", "delete folder"."""
        corpus, chance = self._corpus, self._chance
        seeds = self._translations.draw(self._size // (_NEIGHBOURS + 1), chance)
        order, place_of = self._orders[chance.integers(2)]
        strides = chance.integers(1, _NEIGHBOUR_STRIDE + 1, (len(seeds), _NEIGHBOURS))
        places = place_of[corpus.group[seeds]][:, None] + np.cumsum(strides, axis=1)
        groups = order[np.minimum(places, len(order) - 1)].ravel()
        return np.concatenate([seeds, self._member(groups)])

    def _siblings(self) -> Places:
        """Operations with others of the same service."""
        count = len(self._corpus.operations)
        seeds = self._chance.integers(count, size=self._size // _SIBLINGS)
        strides = self._chance.integers(1, _SIBLING_STRIDE + 1, (len(seeds), _SIBLINGS))
        return np.minimum(seeds[:, None] + np.cumsum(strides, axis=1), count - 1).ravel()

    def _lot(self, count: int) -> Places:
        return self._chance.integers(count, size=self._size)

    def _member(self, groups: Places) -> Places:
        """Any string of each group."""
        starts = self._corpus.member_offsets[groups]
        counts = self._corpus.member_offsets[groups + 1] - starts
        within = (self._chance.random(len(groups)) * counts).astype(np.int64)
        return self._corpus.members[starts + within]

    def _strings(
        self, kind: str, queries: Places, other_part: float = _OTHER_WORDING_PART
    ) -> Batch:
        """Strings with the head of their group, or with another of its members."""
        corpus, chance = self._corpus, self._chance
        _, first = np.unique(corpus.group[queries], return_index=True)
        queries = queries[np.sort(first)]
        groups = corpus.group[queries]
        head, other = corpus.heads[groups], self._member(groups)
        takes_other = ((head < 0) | (chance.random(len(queries)) < other_part)) & (other != queries)
        documents = np.where(takes_other, other, head)
        fits = (documents >= 0) & (documents != queries)
        fits &= (self._lengths[queries] > 0) & (self._lengths[documents] > 0)
        queries, documents = queries[fits], documents[fits]
        return Batch(kind, self._with_openers(queries), self._typed(documents))

    def _typed(self, places: Places) -> Ragged:
        """Their tokens, some left out; of some strings those of the noisy copy."""
        noisy = self._corpus.noisy_of[places]
        is_noisy = (noisy >= 0) & (self._chance.random(len(places)) < _NOISY_PART)
        copies = len(self._corpus.strings) + noisy
        is_noisy &= self._lengths[np.where(is_noisy, copies, 0)] > 0
        chosen = np.where(is_noisy, copies, places)
        return self._all_strings.take(chosen, _STRING_TOKENS).thinned(_LEFT_OUT, self._chance)

    def _with_openers(self, places: Places) -> Ragged:
        """Some begin as people begin a request; the documents don't, so it comes to mean nothing."""
        places_of, starts, counts = self._openers
        language = self._corpus.language[places]
        has = (self._chance.random(len(places)) < _OPENER_PART) & (counts[language] > 0)
        within = (self._chance.random(len(places)) * counts[language]).astype(np.int64)
        last = max(len(places_of) - 1, 0)
        opener = np.where(has, places_of[np.minimum(starts[language] + within, last)], -1)
        return self._corpus.openers.take(opener, _STRING_TOKENS).joined(self._typed(places))

    def _pairs(self, kind: str, places: Places) -> Batch:
        corpus, chance = self._corpus, self._chance
        if kind == "summaries":
            names, texts = corpus.summary_names, corpus.summaries
        else:
            names, texts = corpus.operation_names, corpus.operations
        places = np.unique(places)
        places = places[(names.lengths()[places] > 0) & (texts.lengths()[places] > 0)]
        chance.shuffle(places)
        left_out = _LEFT_OUT_OF_SOME_NAMES if chance.random() < 0.5 else _LEFT_OUT_OF_PAIRS
        return Batch(
            kind,
            names.take(places, _NAME_TOKENS).thinned(left_out, chance),
            texts.take(places, _TEXT_TOKENS).thinned(_LEFT_OUT_OF_PAIRS, chance),
        )


def _openers_by_language(corpus: Corpus) -> tuple[Places, Places, Places]:
    """The openers in the order of languages, and where each language's start and how many it has."""
    order = np.argsort(corpus.opener_language, kind="stable")
    counts = np.bincount(corpus.opener_language, minlength=len(corpus.languages))
    return order, np.cumsum(counts) - counts, counts

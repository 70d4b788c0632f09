"""Contrastive training of the vectors on the CPU."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolsearch_model.batches import Batches
from toolsearch_model.corpus import Corpus
from toolsearch_model.kernels import MAX_DIMENSIONS, Adam, Kernels

_WARM_UP_STEPS = 200
_LEAST_RATE_PART = 0.02
_REPORTS = 50
_KEEP_LOSS = 0.9


@dataclass(frozen=True)
class Schedule:
    """How long and how fast."""

    steps: int
    seed: int
    rate: float = 0.012
    """The highest learning rate."""
    limit: int = 0
    """Above 0 the vectors are rounded to whole numbers up to it while they are used, as in the file."""
    batch: int = 2048
    temperature: float = 0.05

    def rate_at(self, step: int) -> float:
        """The rate of a step, counted from 0: up for the first steps, at most a tenth of all, then down to
        almost nothing. It depends on the step alone, so that two runs of one seed do the same."""
        warm_up = max(1, min(_WARM_UP_STEPS, self.steps // 10))
        rising = min(1.0, (step + 1) / warm_up)
        falling = max(_LEAST_RATE_PART, 1 - step / self.steps)
        return self.rate * rising * falling


def train(
    start: NDArray[np.float32],
    corpus: Corpus,
    kernels: Kernels,
    schedule: Schedule,
    report: Callable[[str], None],
) -> NDArray[np.float32]:
    """The vectors after all steps. `report` gets lines of JSON: step, seconds, the loss of each kind.

    A batch's loss is symmetric InfoNCE: each query shall find its document among all of the batch, and
    each document its query.
    """
    if start.shape[1] > MAX_DIMENSIONS:
        raise ValueError(f"{start.shape[1]} dimensions; the kernels have room for {MAX_DIMENSIONS}")
    table = np.array(start, np.float32, order="C")
    batches = Batches(corpus, schedule.batch, np.random.default_rng(schedule.seed))
    adam = Adam(kernels, table)
    losses: dict[str, float] = {}
    begun = time.monotonic()
    for step in range(schedule.steps):
        batch = batches.next()
        count = len(batch.queries)
        texts = batch.queries.followed_by(batch.documents)
        pooled = kernels.pool(table, texts, schedule.limit)
        gradient, loss = _gradient(pooled[0], count, kernels, schedule.temperature)
        adam.step(texts, pooled, gradient, schedule.rate_at(step))
        before = losses.get(batch.kind, loss)
        losses[batch.kind] = _KEEP_LOSS * before + (1 - _KEEP_LOSS) * loss
        if (step + 1) % max(1, schedule.steps // _REPORTS) == 0:
            seconds = round(time.monotonic() - begun, 1)
            rounded = {kind: round(value, 4) for kind, value in sorted(losses.items())}
            report(json.dumps({"step": step + 1, "seconds": seconds, "loss": rounded}))
    return table


def _gradient(
    vectors: NDArray[np.float32], queries: int, kernels: Kernels, temperature: float
) -> tuple[NDArray[np.float32], float]:
    """The loss of a batch, whose first half are the queries, and its gradient by all vectors."""
    asked, answered = vectors[:queries], vectors[queries:]
    cosines = asked @ answered.T
    loss = kernels.contrast(cosines, temperature)
    gradient = np.empty_like(vectors)
    np.matmul(cosines, answered, out=gradient[:queries])
    np.matmul(cosines.T, asked, out=gradient[queries:])
    return gradient, loss

"""Gives the pieces that training hardly saw a place among those that it knows."""

import numpy as np
from numpy.typing import NDArray

_RARE = 30
_WELL_KNOWN = 300
_RIDGE = 1e-3
_MOVED_LENGTH = 0.7


def move_rare_rows(
    start: NDArray[np.float32], trained: NDArray[np.float32], counts: NDArray[np.int64]
) -> NDArray[np.float32]:
    """The trained vectors, with those of rare pieces moved to where training would have brought them.

    A linear map from starting to trained vectors is fitted on well-known pieces. A piece that occurs less
    than 30 times gets the mapped vector, the more so the rarer it is, at 0.7 of the usual length. With
    fewer well-known pieces than dimensions there is nothing to fit, and all stays.
    """
    known = counts >= _WELL_KNOWN
    finished = trained.copy()
    finished[0] = 0
    if known.sum() <= start.shape[1]:
        return finished
    rare = counts < _RARE
    rare[0] = False
    squares = start[known].T @ start[known]
    ridge = np.eye(len(squares), dtype=np.float32) * known.sum() * _RIDGE
    mapping = np.linalg.solve(squares + ridge, start[known].T @ trained[known])
    moved = start[rare] @ mapping
    usual = np.median(np.linalg.norm(trained[known], axis=1))
    lengths = np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-6)
    own_part = (counts[rare] / _RARE)[:, None].astype(np.float32)
    finished[rare] = own_part * trained[rare] + (1 - own_part) * moved * (
        usual * _MOVED_LENGTH / lengths
    )
    return finished

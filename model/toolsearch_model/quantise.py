"""Vectors as small whole numbers with one scale a row."""

import numpy as np
from numpy.typing import NDArray

LIMIT = 7
"""Codes go from -7 to 7: four bits."""
_CLIPS = (0.9, 0.8, 0.7, 0.6)
_LEAST_SCALE = 2.0**-23


def quantise(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Codes (rows x dimensions) and scales (rows), whose product is close to the vectors.

    Of some scales, each of which cuts the largest values off a little more, a row gets the one with the
    least squared error. Scales are such as float16 can hold.
    """
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12)
    codes, scales = _rounded(vectors, largest)
    errors = _errors(vectors, codes, scales)
    for clip in _CLIPS:
        code, scale = _rounded(vectors, largest * clip)
        error = _errors(vectors, code, scale)
        better = error < errors
        codes = np.where(better, code, codes)
        scales = np.where(better, scale, scales)
        errors = np.where(better, error, errors)
    return codes.astype(np.int8), scales[:, 0].astype(np.float32)


def dequantise(codes: NDArray[np.int8], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors that codes and scales stand for."""
    return codes.astype(np.float32) * scales[:, None]


def _rounded(
    vectors: NDArray[np.float32], largest: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Codes and scales (rows x 1) with which `largest` is the largest value that can be said."""
    scales = (largest / LIMIT).astype(np.float16).astype(np.float32)
    scales = np.maximum(scales, _LEAST_SCALE)
    return np.clip(np.rint(vectors / scales), -LIMIT, LIMIT), scales


def _errors(
    vectors: NDArray[np.float32], codes: NDArray[np.float32], scales: NDArray[np.float32]
) -> NDArray[np.float32]:
    return ((codes * scales - vectors) ** 2).sum(axis=1, keepdims=True)

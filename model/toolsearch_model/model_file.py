"""`model.bin`, as the crate `embedding` compiles it in (`crates/embedding/src/builtin.rs`)."""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolsearch_model.quantise import LIMIT, dequantise
from toolsearch_model.tokenizer import UNKNOWN, WORD_MARK, Piece

MAGIC = b"TSE1"
BITS = 4
SCORE_UNITS = 500
"""Scores are whole numbers of 1/500."""
_LOWEST_SCORE = -65.0
_MAX_PIECE = 255


def stored_score(score: float) -> float:
    """The score as the file can say it."""
    return round(max(score, _LOWEST_SCORE) * SCORE_UNITS) / SCORE_UNITS


@dataclass(frozen=True)
class ModelFile:
    """Pieces, and for each a row of codes with its scale. Row 0 is the unknown piece, row 1 the word mark."""

    pieces: list[Piece]
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]

    def to_bytes(self) -> bytes:
        """Everything little-endian: magic, rows, dimensions, bits; scores, lengths, pieces; scales, codes."""
        rows, dimensions = self.codes.shape
        texts = [piece.encode() for piece, _ in self.pieces]
        scores = [round(score * SCORE_UNITS) for _, score in self.pieces]
        stored = (self.codes + LIMIT + 1).astype(np.uint8)
        return b"".join(
            [
                struct.pack("<4s3I", MAGIC, rows, dimensions, BITS),
                np.array(scores, "<i2").tobytes(),
                bytes(len(text) for text in texts),
                *texts,
                self.scales.astype("<f2").tobytes(),
                (stored[:, 0::2] | stored[:, 1::2] << 4).tobytes(),
            ]
        )

    @classmethod
    def from_bytes(cls, file: bytes) -> "ModelFile":
        """Reads what `to_bytes` wrote. ValueError says what is wrong with another file."""
        if file[:4] != MAGIC:
            raise ValueError(f"not a model.bin: starts with {file[:4]!r}, not {MAGIC!r}")
        rows, dimensions, bits = struct.unpack_from("<3I", file, 4)
        if bits != BITS:
            raise ValueError(f"model.bin has {bits} bits a dimension; {BITS} are read here")
        scores = np.frombuffer(file, "<i2", rows, 16) / SCORE_UNITS
        lengths = np.frombuffer(file, np.uint8, rows, 16 + 2 * rows)
        ends = 16 + 3 * rows + np.cumsum(lengths, dtype=np.int64)
        starts = ends - lengths
        pieces = [
            (file[start:end].decode(), float(score))
            for start, end, score in zip(starts, ends, scores)
        ]
        position = int(ends[-1]) if rows else 16
        scales = np.frombuffer(file, "<f2", rows, position).astype(np.float32)
        position += 2 * rows
        wanted = position + rows * dimensions // 2
        if len(file) != wanted:
            raise ValueError(f"model.bin has {len(file)} bytes where its head means {wanted}")
        halves = np.frombuffer(file, np.uint8, rows * dimensions // 2, position)
        stored = np.stack([halves & 15, halves >> 4], axis=1).reshape(rows, dimensions)
        return cls(pieces, (stored.astype(np.int8) - LIMIT - 1).astype(np.int8), scales)

    @classmethod
    def read(cls, path: Path) -> "ModelFile":
        """Reads a file."""
        return cls.from_bytes(path.read_bytes())

    def vectors(self) -> NDArray[np.float32]:
        """Rows x dimensions, the unknown piece's row zero."""
        vectors = dequantise(self.codes, self.scales)
        vectors[0] = 0
        return vectors

    def breaches(self) -> list[str]:
        """What the crate that reads the file couldn't live with; empty if it can."""
        found = []
        texts = [piece for piece, _ in self.pieces]
        if texts[:2] != [UNKNOWN, WORD_MARK]:
            found.append(f"rows 0 and 1 are {texts[:2]}, not {UNKNOWN} and {WORD_MARK}")
        if len(set(texts)) != len(texts):
            found.append("a piece stands there twice")
        if self.codes.shape[1] % 2 != 0:
            found.append(f"{self.codes.shape[1]} dimensions are an odd number")
        if max(len(text.encode()) for text in texts) > _MAX_PIECE:
            found.append(f"a piece has more than {_MAX_PIECE} bytes")
        if not np.isfinite(self.scales).all():
            found.append("a scale is too large for its form")
        return found

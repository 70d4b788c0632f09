"""Compiles and calls `kernels.c`."""

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
from numpy.ctypeslib import ndpointer
from numpy.typing import NDArray

from toolsearch_model.ragged import Ragged

MAX_DIMENSIONS = 1024
_SOURCE = Path(__file__).with_name("kernels.c")
_FLAGS = "-O3 -march=native -ffast-math -fopenmp -shared -fPIC".split()
_KEEP_MEAN = 0.9
_KEEP_VARIANCE = 0.99

_Floats = ndpointer(np.float32, flags="C_CONTIGUOUS")
_Ints = ndpointer(np.int32, flags="C_CONTIGUOUS")
_Longs = ndpointer(np.int64, flags="C_CONTIGUOUS")


class Kernels:
    """The compiled loops; `folder` gets the library."""

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        library = folder / "kernels.so"
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, *_FLAGS, "-o", library, _SOURCE, "-lm"], check=True)
        loaded = ctypes.CDLL(str(library))
        number, count, real = ctypes.c_int, ctypes.c_int64, ctypes.c_float
        texts = [_Ints, _Longs, count]
        self._pool = loaded.pool
        self._pool.argtypes = [_Floats, number, *texts, number, _Floats, _Floats]
        self._pool.restype = None
        self._contrast = loaded.contrast
        self._contrast.argtypes = [_Floats, count, real]
        self._contrast.restype = ctypes.c_double
        self.update = loaded.update
        table = [_Floats, _Floats, _Floats, number, _Ints]
        self.update.argtypes = [*table, *texts, _Floats, _Floats, _Floats, real, real, real]
        self.update.restype = None

    def pool(
        self, table: NDArray[np.float32], texts: Ragged, limit: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Of each text the vector at length 1 and the length that it had. A `limit` above 0 rounds the
        rows to whole numbers from -limit to limit first."""
        pooled = np.empty((len(texts), table.shape[1]), np.float32)
        lengths = np.empty(len(texts), np.float32)
        where = (texts.tokens, texts.offsets, len(texts))
        self._pool(table, table.shape[1], *where, limit, pooled, lengths)
        return pooled, lengths

    def contrast(self, cosines: NDArray[np.float32], temperature: float) -> float:
        """The loss of a square of cosines whose diagonal is right; the cosines become its gradient."""
        return self._contrast(cosines, len(cosines), temperature)


class Adam:
    """The state of the optimiser for one table, which it changes."""

    def __init__(self, kernels: Kernels, table: NDArray[np.float32]):
        self._kernels = kernels
        self._table = table
        self._mean = np.zeros_like(table)
        self._variance = np.zeros_like(table)
        self._slots = np.full(len(table), -1, np.int32)

    def step(
        self,
        texts: Ragged,
        pooled: tuple[NDArray[np.float32], NDArray[np.float32]],
        gradient: NDArray[np.float32],
        rate: float,
    ) -> None:
        """`pooled` is what `Kernels.pool` gave; `gradient` is by its vectors and is used up."""
        vectors, lengths = pooled
        table = (self._table, self._mean, self._variance, self._table.shape[1], self._slots)
        where = (texts.tokens, texts.offsets, len(texts))
        decay = (_KEEP_MEAN, _KEEP_VARIANCE)
        self._kernels.update(*table, *where, vectors, lengths, gradient, rate, *decay)

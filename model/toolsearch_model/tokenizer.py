"""The model's tokenizer: Unigram over small letters, marks and digits."""

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import Unigram

WORD_MARK = "\u2581"
"""Stands in front of a word, so that a piece can tell a word's start from its middle."""
UNKNOWN = "<unk>"

Piece = tuple[str, float]
"""A piece of the vocabulary and its score, the logarithm of how probable it is."""


def build(pieces: list[Piece], unknown: int = 0) -> Tokenizer:
    """`unknown` is the row of the piece that stands for letters without one.

    The same rules are in the crate `embedding`, `src/normalize.rs`: what is changed here must be
    changed there.
    """
    tokenizer = Tokenizer(Unigram(pieces, unk_id=unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.Lowercase(),
            normalizers.Replace(Regex(r"\u200d|\u00ad"), ""),
            normalizers.Replace(Regex(r"[^\p{L}\p{M}\p{N}]+"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(
        replacement=WORD_MARK, prepend_scheme="always"
    )
    return tokenizer

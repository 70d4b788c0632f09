"""Writes the files of a model."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from toolsearch_model import written
from toolsearch_model.model_file import BITS, ModelFile, stored_score
from toolsearch_model.plain_reader import PlainReader
from toolsearch_model.quantise import quantise
from toolsearch_model.tokenizer import Piece, build

_NAME = "toolsearch-embed"
_SHOWN_DIMENSIONS = 8


def export(vocabulary: list[Piece], vectors: NDArray[np.float32], folder: Path) -> ModelFile:
    """`model.bin`, a Model2Vec directory with the same vectors, and vectors of reference texts."""
    folder.mkdir(parents=True, exist_ok=True)
    vectors = vectors.copy()
    vectors[0] = 0
    vectors /= np.linalg.norm(vectors[1:], axis=1).mean()
    codes, scales = quantise(vectors)
    model = ModelFile([(piece, stored_score(score)) for piece, score in vocabulary], codes, scales)
    breaches = model.breaches()
    if breaches:
        raise ValueError(f"the model can't be stored: {'; '.join(breaches)}")
    _write_model2vec(model, folder)
    _write_json(folder / "reference_vectors.json", _references(model))
    # Last, so that a folder with it is whole.
    (folder / "model.bin").write_bytes(model.to_bytes())
    return model


def _write_model2vec(model: ModelFile, folder: Path) -> None:
    build(model.pieces).save(str(folder / "tokenizer.json"), pretty=False)
    tensors: dict[str, NDArray] = {"embeddings": model.codes, "weights": model.scales}
    (folder / "model.safetensors").write_bytes(save(tensors))
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "tokenizer_name": _NAME,
        "hidden_dim": model.codes.shape[1],
        "normalize": True,
        "max_length": 512,
        "seq_length": 1_000_000,
        "embedding_dtype": "int8",
        "quantisation": {"bits": BITS, "scale": "weights, one per row"},
    }
    _write_json(folder / "config.json", config)
    sentence_transformers = "sentence_transformers.models"
    modules = [
        {"idx": 0, "name": "0", "path": ".", "type": f"{sentence_transformers}.StaticEmbedding"},
        {
            "idx": 1,
            "name": "1",
            "path": "1_Normalize",
            "type": f"{sentence_transformers}.Normalize",
        },
    ]
    _write_json(folder / "modules.json", modules)


def _references(model: ModelFile) -> dict:
    """What another implementation is compared by."""
    tokenizer = build(model.pieces)
    reader = PlainReader(model)
    texts = written.reference_texts()
    vectors = np.array([reader.vector(text) for _, text in texts])
    cosines = vectors @ vectors.T
    told = []
    for place, (language, text) in enumerate(texts):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        told.append(
            {
                "lang": language,
                "text": text,
                "tokens": encoding.tokens,
                "ids": encoding.ids,
                "first8": [round(float(value), 5) for value in vectors[place][:_SHOWN_DIMENSIONS]],
                "cosine_to_next": round(float(cosines[place, (place + 1) % len(texts)]), 5),
            }
        )
    return {
        "dim": model.codes.shape[1],
        "note": "vectors have length 1; the text after the last one is the first; row 0, the unknown "
        "piece, counts for nothing",
        "texts": told,
        "cosines": [[round(float(value), 4) for value in row] for row in cosines],
    }


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=0) + "\n", encoding="utf8")

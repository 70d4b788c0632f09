"""Measures an exported model, and sees that it is read the same by all who read it."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from model2vec import StaticModel
from numpy.typing import NDArray
from tokenizers import Tokenizer

from toolsearch_model import written
from toolsearch_model.model_file import ModelFile
from toolsearch_model.plain_reader import PlainReader
from toolsearch_model.texts import first_sentence, words_of_name
from toolsearch_model.tokenizer import build
from toolsearch_model.written import Line

_TEXT_TOKENS = 512
_LEAST_TEXTS = 30
_RANKS = (1, 5, 10)
# What a tool's vector is made of, and how much each part weighs.
_FIELDS = {"name": 1.0, "first": 1.0, "description": 0.5, "parameters": 0.6}
_QUERIES_AT_ONCE = 1_000

Recall = dict[str, float]
"""The part of all questions whose answer is among the first k, by `@k`; and `n`, how many there were."""


class Embedder:
    """Vectors of many texts at once."""

    def __init__(self, model: ModelFile):
        self._tokenizer: Tokenizer = build(model.pieces)
        self._tokenizer.enable_truncation(_TEXT_TOKENS)
        self._vectors = model.vectors()

    def tokens(self, text: str) -> list[int]:
        """Rows of a text's pieces, unknown ones left out."""
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        return [row for row in ids if row != 0]

    def __call__(self, texts: list[str]) -> NDArray[np.float32]:
        """Texts x dimensions, of length 1, or zero for a text of which nothing is known."""
        sums = np.zeros((len(texts), self._vectors.shape[1]), np.float32)
        for place, encoding in enumerate(
            self._tokenizer.encode_batch(texts, add_special_tokens=False)
        ):
            sums[place] = self._vectors[encoding.ids].sum(axis=0)
        return _unit(sums)


def same_everywhere(folder: Path) -> list[str]:
    """What differs between `model.bin` read plainly, the tokenizer library, and model2vec; empty if nothing."""
    model = ModelFile.read(folder / "model.bin")
    found = model.breaches()
    texts = [text for _, text in written.reference_texts()]
    plain, embed = PlainReader(model), Embedder(model)
    others = _unit(StaticModel.from_pretrained(str(folder)).encode(texts))
    for text, other in zip(texts, others):
        tokens, vector = plain.tokens(text), plain.vector(text)
        if tokens != embed.tokens(text):
            found.append(f"{text!r}: tokens {tokens}, the library has {embed.tokens(text)}")
        # A text without known pieces has the zero vector everywhere.
        if np.abs(vector - other).max() > 1e-3:
            found.append(f"{text!r}: model2vec has another vector")
    return found


def translations(embed: Embedder, held_out: list[tuple[str, str, str]]) -> dict[str, Recall]:
    """By language, of texts held out: where their own English text ranks among all English ones held out."""
    heads = sorted({head for head, _, _ in held_out})
    place_of = {head: place for place, head in enumerate(heads)}
    texts = defaultdict(list)
    for head, language, text in held_out:
        texts[language].append((text, place_of[head]))
    return _by_language(embed, embed(heads), texts)


def requests(embed: Embedder, held_out: list[Line], lines: list[Line]) -> dict[str, Recall]:
    """By language, of requests held out: where their operation ranks among all that are written down."""
    place_of = {line.english: place for place, line in enumerate(lines)}
    texts = defaultdict(list)
    for line in held_out:
        for language, text in line.wordings:
            texts[language].append((text, place_of[line.english]))
    return _by_language(embed, embed([line.english for line in lines]), texts, least=1)


def question_sets(embed: Embedder, folder: Path) -> dict[str, dict[str, Recall]]:
    """By set and language, of each folder with `tools.jsonl` and `queries.jsonl`: where the best right tool
    ranks by the cosine alone. The search of the program does better: it looks at words too."""
    found = {}
    for tools_file in sorted(folder.glob("*/tools.jsonl")):
        queries_file = tools_file.with_name("queries.jsonl")
        if queries_file.exists():
            found[tools_file.parent.name] = _question_set(embed, tools_file, queries_file)
    return found


def _question_set(embed: Embedder, tools_file: Path, queries_file: Path) -> dict[str, Recall]:
    tools = _json_lines(tools_file)
    place_of = {tool["name"]: place for place, tool in enumerate(tools)}
    vectors = tool_vectors(embed, tools)
    ranks = defaultdict(list)
    queries = [query for query in _json_lines(queries_file) if query.get("relevant")]
    for start in range(0, len(queries), _QUERIES_AT_ONCE):
        some = queries[start : start + _QUERIES_AT_ONCE]
        cosines = embed([query["query"] for query in some]) @ vectors.T
        for query, row in zip(some, cosines):
            right = [place_of[name] for name in _right_names(query) if name in place_of]
            rank = int((row > row[right].max()).sum()) if right else len(tools)
            ranks[query.get("lang", "en")].append(rank)
    return {language: _recall(some) for language, some in sorted(ranks.items())}


def tool_vectors(embed: Embedder, tools: list[dict]) -> NDArray[np.float32]:
    """Tools x dimensions: the weighted sum of the vectors of name, first sentence, description, parameters."""
    names = [words_of_name(tool["name"]) for tool in tools]
    descriptions = [tool.get("description") or "" for tool in tools]
    parameters = [_parameters(tool.get("inputSchema")) for tool in tools]
    texts = {
        "name": names,
        "first": [first_sentence(text)[:300] for text in descriptions],
        "description": [text[:1500] for text in descriptions],
        "parameters": [text[:1000] for text in parameters],
    }
    total = np.zeros((len(tools), embed([""]).shape[1]), np.float32)
    for field, weight in _FIELDS.items():
        total += weight * embed([text or name for text, name in zip(texts[field], names)])
    return _unit(total)


def _parameters(schema: object) -> str:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    told = []
    for name, field in (properties or {}).items():
        description = str(field.get("description") or "") if isinstance(field, dict) else ""
        told.append(f"{words_of_name(name)} {description[:80]}")
    return " ".join(told)


def _right_names(query: dict) -> list[str]:
    alternatives = query.get("alternatives") or {}
    names = list(query["relevant"])
    for name in query["relevant"]:
        names += alternatives.get(name, []) if isinstance(alternatives, dict) else alternatives
    return names


def _by_language(
    embed: Embedder,
    answers: NDArray[np.float32],
    texts: dict[str, list[tuple[str, int]]],
    least: int = _LEAST_TEXTS,
) -> dict[str, Recall]:
    found = {}
    for language, some in sorted(texts.items()):
        if len(some) < least:
            continue
        cosines = embed([text for text, _ in some]) @ answers.T
        right = np.array([place for _, place in some])
        own = cosines[np.arange(len(some)), right][:, None]
        found[language] = _recall((cosines > own).sum(axis=1))
    return found


def _recall(ranks: Iterable[int]) -> Recall:
    ranks = np.asarray(list(ranks))
    return {"n": len(ranks), **{f"@{k}": round(float((ranks < k).mean()), 3) for k in _RANKS}}


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def _json_lines(path: Path) -> list[dict]:
    return [
        json.loads(line) for line in path.read_text(encoding="utf8").splitlines() if line.strip()
    ]

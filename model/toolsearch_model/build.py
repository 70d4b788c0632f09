"""The whole way from a list of packages to a checked model."""

import json
import os
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from toolsearch_model import (
    check,
    merge,
    operations,
    sampling,
    start,
    summaries,
    vocabulary,
    written,
)
from toolsearch_model.corpus import Corpus
from toolsearch_model.exclusion import OWN_QUESTIONS, Exclusion
from toolsearch_model.export import export
from toolsearch_model.extract import extract_all
from toolsearch_model.fetch import Downloads, read_list
from toolsearch_model.finish import move_rare_rows
from toolsearch_model.kernels import Kernels
from toolsearch_model.merge import Merged
from toolsearch_model.model_file import ModelFile
from toolsearch_model.operations import Operation
from toolsearch_model.pieces import encoder_file, xlmr_pieces
from toolsearch_model.quantise import LIMIT
from toolsearch_model.steps import Step, digest, run_steps
from toolsearch_model.texts import normal_form
from toolsearch_model.tokens import collect, split_requests
from toolsearch_model.training import Schedule, train
from toolsearch_model.vocabulary import Sizes

PACKAGES = Path(__file__).resolve().parents[1] / "packages.txt"
# After training so many steps more with vectors rounded as in the file, at a low rate.
_ROUNDED_PART = 8
_ROUNDED_RATE = 0.003


@dataclass(frozen=True)
class Settings:
    """What a build is told."""

    work: Path
    """Gets everything; can be removed afterwards but for `out`."""
    packages: Path = PACKAGES
    exclude: Path | None = None
    """A folder of evaluation sets: its questions are never learned from; those with tools are measured."""
    summaries: Path | None = None
    """More names and summaries of packages than Debian's, tab-separated."""
    start: Path | None = None
    """An exported `model.bin` to go on from; else a sentence encoder gives the first vectors."""
    steps: int = 24_000
    seed: int = 1
    dimensions: int = 320
    sizes: Sizes = field(default_factory=Sizes)


class Build:
    """The steps, each of which reads files that earlier ones wrote."""

    def __init__(self, settings: Settings):
        self._settings = settings
        _check_dimensions(settings)
        self._work = settings.work
        self._downloads = Downloads(settings.work / "downloads")
        folders = [OWN_QUESTIONS] + ([settings.exclude] if settings.exclude else [])
        self._question_files = [
            file for folder in folders for file in sorted(folder.rglob("*.jsonl"))
        ]
        self._exclusion = Exclusion.of_folders(folders)

    def run(self) -> None:
        """Runs what isn't done yet. The model is in `out` then."""
        settings = self._settings
        data = sorted(path for path in written.DATA.rglob("*") if path.is_file())
        given = [path for path in (settings.summaries,) if path]
        from_model = digest([settings.start]) if settings.start else None
        after = settings.steps // _ROUNDED_PART
        run_steps(
            [
                Step("fetch", self._fetch, digest([settings.packages])),
                Step("extract", self._extract, None),
                Step("merge", self._merge, digest(self._question_files)),
                Step(
                    "vocabulary", self._vocabulary, [asdict(settings.sizes), digest(data + given)]
                ),
                Step("tokens", self._tokens, None),
                Step("start", self._start, [settings.dimensions, from_model]),
                Step("train", self._train, [settings.steps, settings.seed]),
                Step("finish", self._finish, None),
                Step("round", self._round, after),
                Step("export", self._export, None),
                Step("check", self._check, None),
            ],
            self._work / "done",
        )

    def _fetch(self) -> None:
        self._downloads.fetch(read_list(self._settings.packages))

    def _extract(self) -> None:
        files = self._packages()
        texts = [path for path in files if not _is_operations(path)]
        targets = extract_all(texts, self._work / "strings", os.cpu_count() or 1)
        found = [
            one
            for path in files
            if _is_operations(path)
            for one in operations.read_operations(path)
        ]
        _write(self._work / "operations.json", [asdict(one) for one in found])
        print(f"{len(targets)} packages with texts, {len(found)} API operations", flush=True)

    def _merge(self) -> None:
        texts = [path for path in self._packages() if not _is_operations(path)]
        files = [self._work / "strings" / f"{path.name}.tsv" for path in texts]
        merged = merge.merge(files, self._exclusion)
        print(f"{merge.told(merged)}; {len(self._exclusion)} questions kept out", flush=True)
        merged.save(self._work / "merged")

    def _vocabulary(self) -> None:
        merged = Merged.load(self._work / "merged")
        texts = sampling.texts_by_language(
            merged, self._summaries(), self._operations(), self._exclusion
        )
        sizes = self._settings.sizes
        chosen = vocabulary.choose(texts, xlmr_pieces(), sampling.everyday_words, sizes)
        sampling.save_vocabulary(self._work / "vocabulary.json", chosen)
        print(f"{len(chosen)} pieces for {len(texts)} languages", flush=True)

    def _tokens(self) -> None:
        corpus = collect(
            Merged.load(self._work / "merged"),
            self._pieces(),
            self._summaries(),
            self._operations(),
            self._exclusion,
        )
        corpus.save(self._work / "corpus.npz")
        counts = (len(corpus.strings), len(corpus.summaries), len(corpus.operations))
        print("{} strings, {} summaries, {} pairs of operations".format(*counts), flush=True)

    def _start(self) -> None:
        if self._settings.start:
            vectors = start.from_model(self._pieces(), ModelFile.read(self._settings.start))
        else:
            print(f"vectors from {encoder_file().name}, the longest step but one", flush=True)
            vectors = start.from_encoder(self._pieces(), xlmr_pieces(), self._settings.dimensions)
        np.save(self._work / "start.npy", vectors)

    def _train(self) -> None:
        schedule = Schedule(self._settings.steps, self._settings.seed)
        self._learn("start.npy", "trained.npy", schedule)

    def _finish(self) -> None:
        vectors = move_rare_rows(
            np.load(self._work / "start.npy"),
            np.load(self._work / "trained.npy"),
            self._corpus().token_counts(len(self._pieces())),
        )
        np.save(self._work / "finished.npy", vectors)

    def _round(self) -> None:
        steps = self._settings.steps // _ROUNDED_PART
        schedule = Schedule(steps, self._settings.seed + 1, rate=_ROUNDED_RATE, limit=LIMIT)
        self._learn("finished.npy", "rounded.npy", schedule)

    def _learn(self, source: str, target: str, schedule: Schedule) -> None:
        kernels = Kernels(self._work)
        with (self._work / target).with_suffix(".jsonl").open("w", encoding="utf8") as log:

            def report(line: str) -> None:
                print(line, flush=True)
                print(line, file=log, flush=True)

            vectors = train(np.load(self._work / source), self._corpus(), kernels, schedule, report)
        np.save(self._work / target, vectors)

    def _export(self) -> None:
        out = self._work / "out"
        shutil.rmtree(out, ignore_errors=True)
        export(self._pieces(), np.load(self._work / "rounded.npy"), out)
        print(f"model.bin has {(out / 'model.bin').stat().st_size} bytes", flush=True)

    def _check(self) -> None:
        out = self._work / "out"
        differences = check.same_everywhere(out)
        if differences:
            raise RuntimeError(f"readers disagree: {'; '.join(differences[:3])}")
        embed = check.Embedder(ModelFile.read(out / "model.bin"))
        lines = written.requests()
        _, held_out = split_requests(lines)
        kept_out = [
            line for line in held_out if not self._exclusion.meets_form(normal_form(line.english))
        ]
        pairs = Merged.load(self._work / "merged").held_out_pairs()
        figures: dict[str, object] = {
            "translations held out": check.translations(embed, pairs),
            "requests held out": check.requests(embed, kept_out, lines),
        }
        if self._settings.exclude:
            figures["question sets"] = check.question_sets(embed, self._settings.exclude)
        _write(out / "report.json", figures)
        print(json.dumps(figures), flush=True)

    def _packages(self) -> list[Path]:
        return list(self._downloads.files().values())

    def _pieces(self) -> list[tuple[str, float]]:
        return sampling.load_vocabulary(self._work / "vocabulary.json")

    def _corpus(self) -> Corpus:
        return Corpus.load(self._work / "corpus.npz")

    def _summaries(self) -> list[tuple[str, str]]:
        found = summaries.debian_summaries(self._downloads.debian_index)
        given = self._settings.summaries
        return found + (summaries.listed_summaries(given) if given else [])

    def _operations(self) -> list[Operation]:
        rows = json.loads((self._work / "operations.json").read_text(encoding="utf8"))
        return [
            Operation(**{**row, "parameters": [tuple(one) for one in row["parameters"]]})
            for row in rows
        ]


def _check_dimensions(settings: Settings) -> None:
    """Told at the beginning rather than after hours."""
    wanted = settings.dimensions
    if wanted % 2 != 0 or not 0 < wanted <= start.ENCODER_DIMENSIONS:
        least = f"an even number up to {start.ENCODER_DIMENSIONS} is wanted"
        raise ValueError(f"--dimensions is {wanted}; {least}")
    if settings.start is not None:
        has = ModelFile.read(settings.start).codes.shape[1]
        if has != wanted:
            raise ValueError(f"--dimensions is {wanted}, and {settings.start} has {has}")


def _is_operations(package: Path) -> bool:
    return package.name.startswith(operations.PACKAGE)


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf8")

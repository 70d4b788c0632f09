"""The README's table of what is found is what `eval` finds."""

import json
import re
import subprocess

from harness import packages, proxy
from harness.report import Report

QUESTIONS = "crates/eval/data/questions.jsonl"
COLUMNS = {"words and meaning": "builtin", "words alone": "none"}
CUTS = (1, 5, 10)


def run(report: Report) -> None:
    report.part("recall")
    found = {column: _table(embedder) for column, embedder in COLUMNS.items()}
    expected = {group: [found[column][group] for column in COLUMNS] for group in GROUPS}
    report.equal("the README has what eval finds", expected, _readme())


def _english(language: str) -> bool:
    return language == "en"


def _lithuanian(language: str) -> bool:
    return language == "lt"


def _other(language: str) -> bool:
    return not _english(language) and not _lithuanian(language)


GROUPS = {"English": _english, "Lithuanian": _lithuanian, "Arabic": _other}


def _table(embedder: str) -> dict[str, str]:
    command = [proxy.binary(), "eval", "--demo", "--queries", QUESTIONS, "--json"]
    done = subprocess.run(
        [*command, "--embedder", embedder],
        cwd=packages.ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    )
    answers = json.loads(done.stdout)["answers"]
    return {
        name: _recalls([answer["ranks"] for answer in answers if belongs(answer["lang"])])
        for name, belongs in GROUPS.items()
    }


def _recalls(questions: list[list]) -> str:
    """As the README writes them."""
    asked = [ranks for ranks in questions if ranks]

    def recall(cut: int) -> float:
        found = [sum(rank is not None and rank <= cut for rank in ranks) for ranks in asked]
        return sum(hits / len(ranks) for hits, ranks in zip(found, asked, strict=True)) / len(asked)

    return " / ".join(f"{recall(cut):.2f}".removeprefix("0") for cut in CUTS)


def _readme() -> dict[str, list[str]]:
    text = (packages.ROOT / "README.md").read_text()
    rows = re.findall(r"^\| (English|Lithuanian|Arabic)\b.* \| (\..*) \| (\..*) \|$", text, re.M)
    return {group: list(cells) for group, *cells in rows}

"""Keeps the questions of evaluation sets out of what is learned."""

import json
from pathlib import Path

from toolsearch_model.texts import normal_form

# The project's own questions are never learned from.
OWN_QUESTIONS = Path(__file__).resolve().parents[2] / "crates" / "eval" / "data"


class Exclusion:
    """The normal forms of all questions that must stay unseen."""

    def __init__(self, questions: list[str]):
        self._forms = frozenset(normal_form(question) for question in questions)

    @classmethod
    def of_folders(cls, folders: list[Path]) -> "Exclusion":
        """The `query` of every line of every `.jsonl` file below the folders that has one."""
        questions = []
        for folder in folders:
            for file in sorted(folder.rglob("*.jsonl")):
                questions += questions_of(file)
        return cls(questions)

    def __len__(self) -> int:
        return len(self._forms)

    def meets(self, text: str) -> bool:
        """True if a question says the same, whatever its case and punctuation."""
        return normal_form(text) in self._forms

    def meets_form(self, form: str) -> bool:
        """The same for a text that is in its normal form already."""
        return form in self._forms


def questions_of(file: Path) -> list[str]:
    """The members `query` of a file of JSON lines."""
    with file.open(encoding="utf8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return [row["query"] for row in rows if isinstance(row, dict) and "query" in row]

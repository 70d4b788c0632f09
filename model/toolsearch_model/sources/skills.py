"""Sentences that voice assistants listen for, by language and intent."""

import random
import re
from collections import defaultdict

from toolsearch_model.languages import is_english
from toolsearch_model.sources.containers import Read
from toolsearch_model.sources.pairs import Pairs

_PATH = re.compile(
    r"(.*)/(?:locale|dialog|vocab|regex)/([a-z]{2,3}-[A-Za-z]{2,4})/(?:.*/)?"
    r"([\w.\- ]+\.(?:intent|dialog|voc|entity))$"
)
_CHOICE = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
_SLOT = re.compile(r"\{\{?\s*\w+\s*\}?\}")
_WORDINGS_A_TEMPLATE = 3
_CHOICES_A_TEMPLATE = 20


class Skills:
    """Files of one intent, one in each language's folder, a template a line."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs
        self._texts: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind; it is kept until all are there."""
        found = _PATH.search(path)
        if found is None:
            return False
        skill, language, intent = found.groups()
        self._texts[skill, intent][language.lower()] = read().decode("utf8", "replace")
        return True

    def finish(self) -> None:
        """Pairs sentences of one intent: line by line if there are as many, else with English ones by lot."""
        chance = random.Random(0)
        for (_, intent), texts in self._texts.items():
            sentences = {language: _sentences(text, chance) for language, text in texts.items()}
            english = [one for code, some in sentences.items() if is_english(code) for one in some]
            if not english:
                continue
            for language, some in sentences.items():
                if is_english(language):
                    if intent.endswith(".intent") and len(some) > 1:
                        for sentence in some:
                            self._pairs.add(chance.choice(english), "en", sentence)
                elif len(some) == len(english):
                    for same, sentence in zip(english, some):
                        self._pairs.add(same, language, sentence)
                else:
                    for sentence in some:
                        for like in chance.sample(english, min(2, len(english))):
                            self._pairs.add(like, language, sentence)


def _sentences(text: str, chance: random.Random) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    templates = [line for line in lines if line and not line.startswith("#")]
    return [sentence for line in templates for sentence in wordings(line, chance)]


def wordings(template: str, chance: random.Random) -> list[str]:
    """A few of the sentences that `(turn|switch) on [the] {lamp}` stands for, without the slots."""
    found = set()
    for _ in range(_WORDINGS_A_TEMPLATE):
        sentence = template
        for _ in range(_CHOICES_A_TEMPLATE):
            choice = _CHOICE.search(sentence)
            if choice is None:
                break
            options = choice[1].split("|") if choice[1] is not None else [*choice[2].split("|"), ""]
            sentence = (
                sentence[: choice.start()] + chance.choice(options) + sentence[choice.end() :]
            )
        sentence = " ".join(_SLOT.sub(" ", sentence).split())
        if len(sentence) > 2:
            found.add(sentence)
    return sorted(found)

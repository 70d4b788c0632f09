"""Help pages in Mallard, paragraph by paragraph."""

import re
from collections import defaultdict

from toolsearch_model.languages import is_english
from toolsearch_model.sources.containers import Read
from toolsearch_model.sources.pairs import Pairs

_PATH = re.compile(r"share/help/([^/]+)/(.*\.page)$")
_NOT_SHOWN = re.compile(r"(?s)<info>.*?</info>|<!--.*?-->")
_PARAGRAPH = re.compile(r"(?s)<(p|title|cmd)(?:\s[^>]*)?>(.*?)</\1>")
_TAG = re.compile(r"<[^>]+>")
_MAX_LETTERS = 250
_ORIGINAL = "C"
"""The folder of the untranslated pages, as in the locale of that name."""


class HelpPages:
    """`.page` files below a language's folder."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs
        self._pages: dict[str, dict[str, str]] = defaultdict(dict)

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind; it is kept until all are there."""
        found = _PATH.search(path)
        if found is None:
            return False
        self._pages[found[2]][found[1]] = read().decode("utf8", "replace")
        return True

    def finish(self) -> None:
        """Pairs the paragraphs of pages that have as many of them as the English one."""
        for pages in self._pages.values():
            english = paragraphs(pages.get(_ORIGINAL, ""))
            for language, page in pages.items():
                if language == _ORIGINAL or is_english(language):
                    continue
                translated = paragraphs(page)
                if len(translated) != len(english):
                    continue
                for same, text in zip(english, translated):
                    if len(same) < _MAX_LETTERS:
                        self._pairs.add(same, language, text)


def paragraphs(page: str) -> list[str]:
    """Paragraphs, titles and commands without markup."""
    found = _PARAGRAPH.findall(_NOT_SHOWN.sub("", page))
    return [" ".join(_TAG.sub("", text).split()) for _, text in found]

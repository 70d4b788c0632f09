"""Names of things, places, languages, units and dates, from Unicode's locale data (CLDR) as JSON."""

import json
import re
from collections import defaultdict

from toolsearch_model.sources.containers import Read
from toolsearch_model.sources.keyed import Texts, add_keyed, flat
from toolsearch_model.sources.pairs import Pairs

_PATH = re.compile(
    r"/(?:main|annotations|annotationsDerived)/([\w-]+)/"
    r"(annotations|territories|languages|units|dateFields|ca-gregorian)\.json$"
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3}|-(TW|HK|PT))?")


class UnicodeNames:
    """CLDR's JSON files; only for packages whose name starts with `cldr-`, others may have like paths."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs
        self._files: dict[str, dict[str, Texts]] = defaultdict(dict)

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind; its texts are kept until all are there."""
        if not path.endswith(".json"):
            return False
        found = _PATH.search(path)
        if found and _LANGUAGE.fullmatch(found[1]):
            language, kind = found.groups()
            folder = path.split("/")[-3]
            texts = names(kind, flat(json.loads(read())))
            # The language's own code is part of the path to each text.
            self._files[folder + kind][language] = {
                key.replace(f"/{language}/", "/en/", 1): text for key, text in texts.items()
            }
        return True

    def finish(self) -> None:
        """Pairs each language with English."""
        for languages in self._files.values():
            english = languages.get("en")
            if english is None:
                continue
            for language, texts in languages.items():
                if not language.startswith("en"):
                    add_keyed(self._pairs, english, texts, language)


def names(kind: str, texts: Texts) -> Texts:
    """Of dates the full names of months and days; of annotations one text a thing, its words together."""
    if kind == "ca-gregorian":
        return {
            key: text
            for key, text in texts.items()
            if "/wide/" in key and ("/months/" in key or "/days/" in key)
        }
    if kind == "annotations":
        words = defaultdict(list)
        for key, text in texts.items():
            words[key.rsplit("/", 1)[0]].append(text)
        return {key: " ".join(some) for key, some in words.items()}
    return texts

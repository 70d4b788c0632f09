"""Files that give texts names: a name's text in one language goes with its text in English."""

import json
import re
from collections import defaultdict

from toolsearch_model.languages import is_english
from toolsearch_model.sources.containers import Read
from toolsearch_model.sources.pairs import Pairs

_CODE = r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?"
_JSON_LANGUAGE_FILE = re.compile(rf"^(.*)/({_CODE})(?:-[0-9a-f]{{8,}})?\.json$")
_JSON_LANGUAGE_FOLDER = re.compile(rf"^(.*(?:locale|i18n|lang).*)/({_CODE})/([\w-]+)\.json$")
_PHP = re.compile(
    r"(.*/(?:localization|lang|language)/)([a-z]{2}(?:[-_][A-Za-z]{2})?)/([\w.]+)\.(?:inc|php)$"
)
_PHP_TEXT = re.compile(r"\$\w+\s*\[\s*'([^']+)'\s*\]\s*=\s*'((?:[^'\\]|\\.)*)'")
_ENGLISH_NAMES = ("en", "en_US", "en-US", "en_EN", "en_GB")
# A folder of two files called `is.json` and `no.json` is no folder of translations.
_LEAST_LANGUAGES = 3

Texts = dict[str, str]


class JsonLocales:
    """JSON files of one folder, each called by a language, or one in each language's folder."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs
        self._files: dict[str, dict[str, bytes]] = defaultdict(dict)

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind; it is kept until all are there."""
        found = _JSON_LANGUAGE_FILE.match(path)
        if found:
            self._files[found[1]][found[2]] = read()
            return True
        found = _JSON_LANGUAGE_FOLDER.match(path)
        if found:
            self._files[f"{found[1]}|{found[3]}"][found[2]] = read()
            return True
        return False

    def finish(self) -> None:
        """Pairs each folder's files with its English one. Without one the names are the English texts."""
        for files in self._files.values():
            if len(files) < _LEAST_LANGUAGES:
                continue
            name = next((name for name in _ENGLISH_NAMES if name in files), None)
            english = None if name is None else _json_texts(files[name])
            for language, file in files.items():
                if is_english(language) or language == "qqq":  # MediaWiki's notes for translators
                    continue
                texts = _json_texts(file)
                if english is None:
                    english_of = {key: key.removeprefix("/") for key in texts}
                else:
                    english_of = english
                add_keyed(self._pairs, english_of, texts, language)


class PhpArrays:
    """PHP files that assign texts to an array, one file a language."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs
        self._files: dict[str, dict[str, str]] = defaultdict(dict)

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind; it is kept until all are there."""
        found = _PHP.search(path)
        if found is None:
            return False
        self._files[found[1] + found[3]][found[2]] = read().decode("utf8", "replace")
        return True

    def finish(self) -> None:
        """Pairs each file with its English one."""
        for files in self._files.values():
            english = files.get("en") or files.get("en_US")
            if english is None:
                continue
            for language, text in files.items():
                if not is_english(language):
                    add_keyed(self._pairs, php_texts(english), php_texts(text), language)


def add_keyed(pairs: Pairs, english: Texts, texts: Texts, language: str) -> None:
    """Pairs what has the same name."""
    for key, text in texts.items():
        if key in english:
            pairs.add(english[key], language, text)


def flat(value: object, path: str = "") -> Texts:
    """The texts of a JSON value by the path to them: `{"a": {"b": "c"}}` is `{"/a/b": "c"}`."""
    if isinstance(value, str):
        return {path: value}
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return {}
    texts: Texts = {}
    for key, part in inner:
        texts.update(flat(part, f"{path}/{key}"))
    return texts


def _json_texts(file: bytes) -> Texts:
    try:
        return flat(json.loads(file))
    except ValueError:
        return {}


def php_texts(text: str) -> Texts:
    """`$labels['delete'] = 'Delete';`"""
    return {key: value.replace("\\'", "'") for key, value in _PHP_TEXT.findall(text)}


def properties_texts(text: str) -> Texts:
    """Java's `name = text`."""
    return dict(re.findall(r"(?m)^([\w.\-]+)\s*=\s*(.+)$", text))


def dtd_texts(text: str) -> Texts:
    """`<!ENTITY name "text">`."""
    return dict(re.findall(r'<!ENTITY\s+([\w.\-]+)\s+"([^"]*)"', text))


def fluent_texts(text: str) -> Texts:
    """Mozilla's Fluent: messages and their attributes; of variants the one called `other`."""
    texts: Texts = {}
    message = current = None
    for line in text.splitlines():
        stripped = line.strip()
        start = re.match(r"^(-?[a-zA-Z][\w-]*)\s*=\s*(.*)$", line)
        attribute = re.match(r"^\s+(\.[a-zA-Z][\w-]*)\s*=\s*(.*)$", line)
        if line.startswith("#"):
            continue
        if start:
            message = current = start[1]
            texts[current] = start[2]
        elif attribute and message:
            current = message + attribute[1]
            texts[current] = attribute[2]
        elif current and stripped.startswith("*[other]"):
            texts[current] += " " + stripped.removeprefix("*[other]").strip()
        elif current and line[:1] in (" ", "\t") and not stripped.startswith(("[", "*[", "}")):
            texts[current] += " " + stripped
    without_selectors = {key: re.sub(r"\{[^}]*(\}|$)", " ", text) for key, text in texts.items()}
    return {key: text.strip() for key, text in without_selectors.items() if text.strip()}

"""Strings and what they are in another language, cleaned of what people neither say nor type."""

import html
import re

_MAX_HEAD = 300
_TAG = re.compile(r"<[^>]{1,60}>")
_ACCELERATOR = re.compile(r"(^|\s)[_&~]\w|\w[_~]\w")
_PLACEHOLDER = re.compile(
    r"%[-+ #0-9.$]*[a-zA-Z]|%\d"  # printf
    r"|\{\{?[^}]*\}?\}|\$\{?\w+\}?"  # templates
    r"|\[\[|\]\]|'''?"  # wiki markup
)
_ENDS = ' .…:*="'

Row = tuple[str, str, str, str]
"""Language and text of the head, language and text of its translation. The head is English almost always."""


class Pairs:
    """What one package has, each pair once, in the order in which it was found."""

    def __init__(self) -> None:
        self._rows: dict[Row, None] = {}

    def add(self, english: str, language: str, text: str) -> None:
        """An English string and one in another language, if both still say something when cleaned."""
        self.add_between("en", english, language, text)

    def add_between(self, head_language: str, head: str, language: str, text: str) -> None:
        """The same with a head that isn't English: some dictionaries have none."""
        head, text = clean(head), clean(text)
        if is_pair(head, text, head_language):
            self._rows[head_language, head, language, text] = None

    def rows(self) -> list[Row]:
        """All of them."""
        return list(self._rows)


def clean(text: str) -> str:
    """One line without markup, placeholders, marks of shortcut keys, and dots at the end."""
    text = text.split("\x04")[-1].split("\x00")[0]  # gettext: context before, plural behind
    text = _TAG.sub("", text)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if _ACCELERATOR.search(text):
        text = re.sub(r"[_~]", "", text)
    text = _PLACEHOLDER.sub(" ", text.replace("&", ""))
    return " ".join(text.split()).strip(_ENDS)


def is_pair(head: str, text: str, head_language: str = "en") -> bool:
    """False for strings that can't teach anything: too short, too long, copied, or of very unlike lengths."""
    if len(head) < 3 or len(text) < 2 or head == text:
        return False
    if len(head) > _MAX_HEAD or len(text) > 2 * _MAX_HEAD:
        return False
    if len(text) > 4 * len(head) + 30 or len(head) > 6 * len(text) + 30:
        return False
    if head_language == "en" and not re.search(r"[A-Za-z]{3}", head):
        return False
    return "http" not in head

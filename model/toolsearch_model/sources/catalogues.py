"""Message catalogues whose keys are the English texts: gettext's and Qt's, and menu entries."""

import gettext
import io
import re
import struct

from toolsearch_model.languages import is_english
from toolsearch_model.sources.containers import Read
from toolsearch_model.sources.pairs import Pairs

_GETTEXT_PATHS = (
    re.compile(r"/([^/]+)/LC_MESSAGES/[^/]+\.(mo|po)$"),
    re.compile(r"/(?:locale|i18n|locales)/([a-z]{2,3}(?:_[A-Za-z]{2,4})?)\.(po)$"),
)
_QUOTED = r'(?:".*?"\s*(?:\n|\Z))+'
_PO_ENTRY = re.compile(
    rf"(?ms)^msgid ({_QUOTED})(?:msgid_plural {_QUOTED})?msgstr(?:\[0\])? ({_QUOTED})"
)
_QT_PATH = re.compile(r"[_./]([a-z]{2,3}(?:_[A-Z]{2})?)\.qm$")
_QT_MAGIC = b"\x3c\xb8\x64\x18"
_QT_MESSAGES = 0x69
_DESKTOP_KEYS = ("Name", "Comment", "GenericName", "Keywords")


class Gettext:
    """`.mo` and `.po` files."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind, which it then has read."""
        found = next(filter(None, (pattern.search(path) for pattern in _GETTEXT_PATHS)), None)
        if found is None:
            return False
        language, kind = found.groups()
        if not is_english(language):
            messages = (
                mo_messages(read())
                if kind == "mo"
                else po_messages(read().decode("utf8", "replace"))
            )
            for english, text in messages:
                self._pairs.add(english, language, text)
        return True

    def finish(self) -> None:
        """Nothing waits for another file."""


class Qt:
    """`.qm` files."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind, which it then has read."""
        found = _QT_PATH.search(path)
        if found is None:
            return False
        if not is_english(found[1]):
            for english, text in qt_messages(read()):
                self._pairs.add(english, found[1], text)
        return True

    def finish(self) -> None:
        """Nothing waits for another file."""


class DesktopEntries:
    """`.desktop` files: a program's name and what it is for."""

    def __init__(self, pairs: Pairs):
        self._pairs = pairs

    def take(self, path: str, read: Read) -> bool:
        """True if the file is of this kind, which it then has read."""
        if not path.endswith(".desktop"):
            return False
        text = read().decode("utf8", "replace").replace(";", " ")
        for key in _DESKTOP_KEYS:
            english = re.search(rf"(?m)^{key}=(.+)$", text)
            if english is None:
                continue
            for language, translated in re.findall(rf"(?m)^{key}\[([\w@.]+)\]=(.+)$", text):
                if not is_english(language):
                    self._pairs.add(english[1], language, translated)
        return True

    def finish(self) -> None:
        """Nothing waits for another file."""


def mo_messages(file: bytes) -> list[tuple[str, str]]:
    """English and translation of a compiled catalogue; none of a damaged one."""
    try:
        catalogue = gettext.GNUTranslations(io.BytesIO(file))._catalog
    except (OSError, UnicodeError, ValueError, struct.error):
        return []
    messages = []
    for key, text in catalogue.items():
        english = key[0] if isinstance(key, tuple) else key
        if english and text and isinstance(text, str):
            messages.append((english, text))
    return messages


def po_messages(text: str) -> list[tuple[str, str]]:
    """English and translation of a catalogue's source."""
    return [(_unquoted(english), _unquoted(text)) for english, text in _PO_ENTRY.findall(text)]


def _unquoted(lines: str) -> str:
    text = "".join(re.findall(r'"(.*)"', lines))
    return text.replace("\\n", "\n").replace('\\"', '"').replace("\\t", " ").replace("\\\\", "\\")


def qt_messages(file: bytes) -> list[tuple[str, str]]:
    """English and translation; of a message with plural forms the first one.

    The file is a magic of 16 bytes and blocks: a tag, a length (u32, big-endian), the content.
    """
    messages: list[tuple[str, str]] = []
    if not file.startswith(_QT_MAGIC):
        return messages
    position = 16
    while position + 5 <= len(file):
        tag, length = struct.unpack_from(">BI", file, position)
        position += 5
        if tag == _QT_MESSAGES:
            messages += _qt_block(file[position : position + length])
        position += length
    return messages


def _qt_block(block: bytes) -> list[tuple[str, str]]:
    messages = []
    english = text = None
    position = 0
    while position < len(block):
        tag = block[position]
        position += 1
        if tag == 1:  # the message's end
            if english and text:
                messages.append((english, text))
            english = text = None
        elif tag in (2, 5):  # numbers of four bytes
            position += 4
        elif tag in (3, 6, 7, 8) and position + 4 <= len(block):
            (length,) = struct.unpack_from(">I", block, position)
            position += 4
            if length == 0xFFFFFFFF:
                continue
            value = block[position : position + length]
            position += length
            if tag == 3 and text is None:
                text = value.decode("utf-16-be", "replace")
            elif tag == 6:
                english = value.decode("utf8", "replace")
        else:
            break
    return messages

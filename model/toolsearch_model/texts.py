"""What is done to a text before it is compared, counted or learned from."""

import random
import re
import unicodedata

_NO_WORD = re.compile(r"[\W_]+")
# Letters that Unicode doesn't see as a letter with a mark, but that people type without it.
_OWN_LETTERS = str.maketrans("łøđıß", "lodis")
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s|\n")


def normal_form(text: str) -> str:
    """Small letters and digits, one blank between words: two texts with the same one say the same."""
    return _NO_WORD.sub(" ", text.lower()).strip()


def without_marks(text: str) -> str:
    """As people type who leave marks out: `ištrinti` is `istrinti`."""
    parts = unicodedata.normalize("NFD", text)
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    return unicodedata.normalize("NFC", bare).translate(_OWN_LETTERS)


def with_typing_error(text: str, chance: random.Random) -> str:
    """One letter left out, doubled, or swapped with the next; never the first or the last one."""
    if len(text) < 5:
        return text
    at = chance.randrange(1, len(text) - 2)
    kind = chance.choices(("left out", "swapped", "doubled"), (35, 35, 30))[0]
    if kind == "left out":
        return text[:at] + text[at + 1 :]
    if kind == "swapped":
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + text[at] + text[at:]


def words_of_name(name: str) -> str:
    """An identifier as words: `getUserInfo` and `get_user_info` are `get User Info` and so on."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", name)
    return re.sub(r"[-_./:]+", " ", name)


def first_sentence(text: str) -> str:
    """Up to the first full stop with a blank behind it, or the first line's end."""
    return _SENTENCE_END.split(text.strip())[0]

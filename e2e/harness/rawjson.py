"""JSON as it was spelt: slices of the text, so that two documents can be compared byte for byte."""

import json

_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()


def members(text: str) -> dict[str, str]:
    """The members of an object, each value as its own text."""
    found: dict[str, str] = {}
    at = _past(text, 0, "{")
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        at = _past(text, end, ":")
        _, end = _DECODER.raw_decode(text, at)
        found[key] = text[at:end]
        at = _next(text, end)
    return found


def elements(text: str) -> list[str]:
    """The elements of an array, each as its own text."""
    found: list[str] = []
    at = _past(text, 0, "[")
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        found.append(text[at:end])
        at = _next(text, end)
    return found


def _past(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at] != sign:
        raise ValueError(f"expected {sign!r} at {at}, found {text[at : at + 40]!r}")
    return _skip(text, at + 1)


def _next(text: str, at: int) -> int:
    at = _skip(text, at)
    return _skip(text, at + 1) if text[at] == "," else at


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at

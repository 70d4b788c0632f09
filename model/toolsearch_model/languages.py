"""Language codes, and how often each language is drawn in training."""

import re

_TRADITIONAL_CHINESE = re.compile(r"^(zh|yue)[-_]?(tw|hk|hant|hans-tw)", re.IGNORECASE)
_OTHER_NAMES = {
    "cmn": "zh",
    "no": "nb",
    "fil": "tl",
    "iw": "he",
    "in": "id",
    "hye": "hy",
    "sh": "sr",
    "als": "gsw",
}
# Codes that stand for no language that people ask in: constructed ones, file endings, flags.
NO_LANGUAGES = frozenset({"tlh", "qt", "tok", "x", "i"})
WIDELY_SPOKEN = frozenset(
    "en zh es hi ar pt bn ru ja pa de ko fr te mr tr ta vi ur it fa pl uk nl ro hu el cs sv he th id "
    "ms fi da nb sk bg hr sr lt lv et sl ca kk az uz sw zh_tw be ka hy".split()
)
# What the size of a language's collection alone gets wrong for this project's users.
_FACTORS = {
    "lt": 4.0,
    "pl": 1.6,
    "de": 1.6,
    "lv": 1.5,
    "ar": 1.5,
    "es": 1.4,
    "zh": 1.4,
    "ja": 1.4,
    "et": 1.3,
    "ru": 1.3,
    "tr": 1.3,
    "uk": 1.3,
    "fr": 1.2,
    "pt": 1.2,
}
# A language with this many strings has all that it needs.
_ENOUGH = 300_000
_POWER = 0.6
_WIDELY_SPOKEN_FLOOR = (60_000 / _ENOUGH) ** 0.4
_WIDELY_SPOKEN_FACTOR = 1.6
# English is on the other side of nearly every pair anyway.
_ENGLISH_PART = 0.08


def canonical(code: str) -> str:
    """One code a language, whatever a package calls it: `pt_BR` is `pt`, `zh-Hant` is `zh_tw`."""
    if _TRADITIONAL_CHINESE.match(code):
        return "zh_tw"
    base = re.split(r"[-_@.]", code)[0].lower()
    return _OTHER_NAMES.get(base, base)


def is_english(code: str) -> bool:
    """True for English of any country."""
    return re.split(r"[-_@.]", code)[0].lower() == "en"


def shares(strings: dict[str, int]) -> dict[str, float]:
    """From strings a language to the part of all draws that it gets; the parts add up to 1.

    A power below 1 lets small languages in without drawing their few strings all the time; widely
    spoken languages have a floor.
    """
    weights = {}
    for language, count in strings.items():
        weight = 0.0
        if language not in NO_LANGUAGES:
            weight = (min(count, _ENOUGH) / _ENOUGH) ** _POWER
        if language in WIDELY_SPOKEN:
            weight = max(weight, _WIDELY_SPOKEN_FLOOR) * _WIDELY_SPOKEN_FACTOR
        weights[language] = weight * _FACTORS.get(language, 1.0)
    if "en" in weights:
        weights["en"] = _ENGLISH_PART * sum(weights.values())
    total = sum(weights.values())
    if total == 0:
        return {language: 1 / len(weights) for language in weights}
    return {language: weight / total for language, weight in weights.items()}

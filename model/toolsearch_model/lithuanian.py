"""Lithuanian phrases made of verbs and nouns in all their forms.

Few texts of software have a noun in every case or a verb in the imperative, and people's requests are
full of them. The words lie in `data/lithuanian`.
"""

import random
from pathlib import Path

from toolsearch_model.written import DATA

Phrase = tuple[str, str]
"""English and Lithuanian."""

_CASES = ("nominative", "genitive", "dative", "accusative", "instrumental", "locative")
# By a nominative's ending: the endings of the six cases, singular and plural. `~` stands before an
# ending that softens the stem (t to č, d to dž), `-` for a form that isn't used here.
_ENDINGS = {
    "ius": ("ius iaus iui ių iumi iuje", "iai ių iams ius iais iuose"),
    "jas": ("jas jo jui ją ju juje", "jai jų jams jus jais juose"),
    "as": ("as o ui ą u e", "ai ų ams us ais uose"),
    "is": ("is ~io ~iui į ~iu yje", "~iai ~ių ~iams ~ius ~iais ~iuose"),
    "ys": ("ys ~io ~iui į ~iu yje", "~iai ~ių ~iams ~ius ~iais ~iuose"),
    "us": ("us aus ui ų umi uje", "ūs ų - us - -"),
    "a": ("a os ai ą a oje", "os ų oms as omis ose"),
    "ė": ("ė ės ei ę e ėje", "ės ~ių ėms es ėmis ėse"),
    # Nouns without a singular.
    "os": ("", "os ų oms as omis ose"),
    "ės": ("", "ės ~ių ėms es ėmis ėse"),
    "iai": ("", "iai ių iams ius iais iuose"),
    "ai": ("", "ai ų ams us ais uose"),
}
_FEMININE_IS = ("is ies ~iai į imi yje", "ys ~ių ims is imis yse")
_FEMININE = frozenset({"užduotis", "sutartis", "pateiktis", "šalis", "stotis", "širdis"})
_OF_THEIR_OWN = {
    "vanduo": (
        "vanduo vandens vandeniui vandenį vandeniu vandenyje",
        "vandenys vandenų - vandenis - -",
    ),
    "šuo": ("šuo šuns šuniui šunį šunimi šunyje", "šunys šunų - šunis - -"),
    "mėnuo": ("mėnuo mėnesio mėnesiui mėnesį mėnesiu mėnesyje", "mėnesiai mėnesių - mėnesius - -"),
    "duomenys": ("", "duomenys duomenų duomenims duomenis duomenimis duomenyse"),
}
_DECLINED_FIRST_WORDS = {
    "sąskaita": ("sąskaita sąskaitos - sąskaitą - -", "sąskaitos sąskaitų - sąskaitas - -"),
    "atsarginė": ("atsarginė atsarginės - atsarginę - -", "atsarginės atsarginių - atsargines - -"),
}
_SOFTENED = {"t": "č", "d": "dž"}
_UNCOUNTED = frozenset(
    "news data statistics expenses income money food water bread milk weather access blinds heating "
    "sleep".split()
)
_PHRASES_A_NOUN = 60

Forms = dict[str, str]
"""A noun's forms by case; of the plural as `plural genitive`."""


def phrases(seed: int = 0) -> list[Phrase]:
    """Words in all forms, and for each noun requests and questions; sorted, none twice."""
    chance = random.Random(seed)
    nouns = [(decline(noun), english) for noun, english in _words("nouns.psv")]
    verbs = _words("verbs.psv")
    found: set[Phrase] = set()
    for forms, english in nouns:
        for case, form in forms.items():
            found.add((english_plural(english) if case.startswith("plural") else english, form))
    for verb, english in verbs:
        found |= {(english, form) for form in (verb, imperative(verb), imperative(verb) + "ite")}
    for forms, english in nouns:
        for _ in range(_PHRASES_A_NOUN):
            found.add(_request(chance.choice(verbs), forms, english, chance))
        if "nominative" in forms:
            found |= _questions(forms, english)
    return sorted(found)


def decline(noun: str) -> Forms:
    """All forms of a noun in the nominative. The first of two words stays as it is, or is declined too."""
    if " " in noun:
        first, second = noun.split(" ")
        inner = decline(second)
        if first not in _DECLINED_FIRST_WORDS:
            return {case: f"{first} {form}" for case, form in inner.items()}
        outer = _forms(_DECLINED_FIRST_WORDS[first])
        return {case: f"{outer[case]} {form}" for case, form in inner.items() if case in outer}
    if noun in _OF_THEIR_OWN:
        return _forms(_OF_THEIR_OWN[noun])
    if noun in _FEMININE:
        return _forms(_FEMININE_IS, noun[:-2])
    for ending, endings in _ENDINGS.items():
        if noun.endswith(ending):
            return _forms(endings, noun.removesuffix(ending))
    raise ValueError(f"no declension for {noun!r}")


def imperative(verb: str) -> str:
    """`ištrinti` is `ištrink`; the plural has `ite` behind."""
    stem = verb.removesuffix("ti")
    return stem[:-1] + "k" if stem[-1] in "kg" else stem + "k"


def english_plural(noun: str) -> str:
    """`city` is `cities`; what isn't counted stays."""
    if noun in _UNCOUNTED:
        return noun
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _forms(endings: tuple[str, str], stem: str = "") -> Forms:
    forms = {}
    for number, some in zip(("", "plural "), endings):
        for case, ending in zip(_CASES, some.split()):
            if ending.startswith("~"):
                forms[number + case] = _softened(stem) + ending[1:]
            elif ending != "-":
                forms[number + case] = stem + ending
    return forms


def _softened(stem: str) -> str:
    return stem[:-1] + _SOFTENED.get(stem[-1:], stem[-1:])


def _request(verb: Phrase, forms: Forms, english: str, chance: random.Random) -> Phrase:
    """One of the ways to ask for something to be done with it."""
    infinitive, does = verb
    order = imperative(infinitive)
    if "accusative" in forms and chance.random() < 0.6:
        thing, things = forms["accusative"], english
        of_thing, article = forms["genitive"], chance.choice(["the ", "a ", ""])
    else:
        thing, things = forms["plural accusative"], english_plural(english)
        of_thing, article = forms["plural genitive"], ""
    named = article + things
    if chance.random() < 0.25:
        thing, named = f"mano {thing}", f"my {things}"
    could = chance.choice(["ar gali", "ar galėtum", "gal galite"])
    ways = [
        (35, f"{order} {thing}", f"{does} {named}"),
        (10, f"{order}ite {thing}", f"{does} {named}"),
        (15, f"{infinitive} {thing}", f"{does} {named}"),
        (7, f"noriu {infinitive} {thing}", f"I want to {does} {named}"),
        (7, f"prašau {infinitive} {thing}", f"please {does} {named}"),
        (6, f"{could} {infinitive} {thing}", f"can you {does} {named}"),
        (6, f"kaip {infinitive} {thing}", f"how to {does} {named}"),
        (6, f"man reikia {infinitive} {thing}", f"I need to {does} {named}"),
        (4, f"ne{order} {of_thing}", f"do not {does} {named}"),
        (4, f"padėk man {infinitive} {thing}", f"help me {does} {named}"),
    ]
    _, lithuanian, told = chance.choices(ways, [weight for weight, *_ in ways])[0]
    return told, lithuanian


def _questions(forms: Forms, english: str) -> set[Phrase]:
    many = english_plural(english)
    return {
        (f"where is the {english}", f"kur yra {forms['nominative']}"),
        (f"what is the {english}", f"koks yra {forms['nominative']}"),
        (f"information about the {english}", f"informacija apie {forms['accusative']}"),
        (f"I am looking for a {english}", f"ieškau {forms['genitive']}"),
        (f"search for a {english}", f"ieškoti {forms['genitive']}"),
        (f"search for {many}", f"ieškok {forms['plural genitive']}"),
        (f"name of the {english}", f"{forms['genitive']} pavadinimas"),
        (f"list of {many}", f"{forms['plural genitive']} sąrašas"),
        (f"how many {many} are there", f"kiek yra {forms['plural genitive']}"),
        (f"what {many} are there", f"kokie yra {forms['plural nominative']}"),
        (f"I have {many}", f"turiu {forms['plural accusative']}"),
        (f"without a {english}", f"be {forms['genitive']}"),
    }


def _words(name: str, data: Path = DATA) -> list[Phrase]:
    """Lithuanian and English."""
    rows = (data / "lithuanian" / name).read_text(encoding="utf8").splitlines()
    return [
        (lithuanian, english) for lithuanian, _, english in (row.partition(" | ") for row in rows)
    ]

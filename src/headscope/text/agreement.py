"""Person, number and gender of English mentions, from a small lexicon; 0 stands for unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

UNKNOWN = 0
SINGULAR, PLURAL = 1, 2
MALE, FEMALE, NEUTER = 1, 2, 3


class Features(NamedTuple):
    """Person 1 to 3, number and gender."""

    person: int = UNKNOWN
    number: int = UNKNOWN
    gender: int = UNKNOWN


PRONOUNS: dict[str, Features] = {
    **dict.fromkeys(("i", "me", "my", "mine", "myself"), Features(1, SINGULAR)),
    **dict.fromkeys(("we", "us", "our", "ours", "ourselves"), Features(1, PLURAL)),
    **dict.fromkeys(("you", "your", "yours"), Features(2)),
    "yourself": Features(2, SINGULAR),
    "yourselves": Features(2, PLURAL),
    **dict.fromkeys(("he", "him", "his", "himself"), Features(3, SINGULAR, MALE)),
    **dict.fromkeys(("she", "her", "hers", "herself"), Features(3, SINGULAR, FEMALE)),
    **dict.fromkeys(("it", "its", "itself"), Features(3, SINGULAR, NEUTER)),
    **dict.fromkeys(("they", "them", "'em", "their", "theirs", "themselves"), Features(3, PLURAL)),
}
_DEMONSTRATIVES: dict[str, Features] = {
    **dict.fromkeys(("this", "that"), Features(3, SINGULAR)),
    **dict.fromkeys(("these", "those"), Features(3, PLURAL)),
}
_NUMBER_OF_TAG = {"NN": SINGULAR, "NNP": SINGULAR, "NNS": PLURAL, "NNPS": PLURAL}
_MALE = {
    *("mr", "mr.", "sir"),
    *("man", "gentleman", "boy", "father", "son", "brother", "husband", "uncle", "king"),
}
_FEMALE = {
    *("mrs", "mrs.", "ms", "ms.", "miss", "madam"),
    *("woman", "lady", "girl", "mother", "daughter", "sister", "wife", "aunt", "queen"),
}


def features_of(words: Sequence[str], head: int, tag: str) -> Features:
    """The features of a mention of these words; ``head`` is the place of its head word, ``tag`` its tag.

    A pronoun has what the lexicon says. Any other mention is of the third person; NN and NNP make it
    singular, NNS and NNPS plural, an "and" in it leaves the number open; a title before a name or one of a
    few nouns gives it a gender.

    >>> features_of(["Mrs.", "Hill"], 1, "NNP")
    Features(person=3, number=1, gender=2)
    >>> features_of(["Themselves"], 0, "PRP")
    Features(person=3, number=2, gender=0)
    """
    lower = [word.lower() for word in words]
    known = PRONOUNS.get(lower[head]) or _DEMONSTRATIVES.get(lower[head])
    if known is not None:
        return known
    number = UNKNOWN if "and" in lower else _NUMBER_OF_TAG.get(tag, UNKNOWN)
    telling = {lower[0], lower[head]} if tag.startswith("NNP") else {lower[head]}
    gender = MALE if telling & _MALE else FEMALE if telling & _FEMALE else UNKNOWN
    return Features(3, number, gender)

"""Names of relations: Universal Dependencies and Stanford Dependencies."""

from __future__ import annotations

PUNCTUATION = "punct"
ROOTS = ("root", "ROOT")


def plain(relation: str) -> str:
    """A relation without its subtype.

    >>> plain("nmod:poss")
    'nmod'
    """
    return relation.partition(":")[0]


def counted(relation: str, punctuation: bool = False) -> bool:
    """Whether a relation is scored: the root has no head to find, punctuation is left out by default."""
    return relation not in ROOTS and (punctuation or plain(relation) != PUNCTUATION)

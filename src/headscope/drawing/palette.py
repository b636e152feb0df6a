"""Colours that figures and the page share, safe for colour-blind readers; nothing here draws."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle

from headscope.results.vocabulary import (
    BROAD,
    COPY_SUPPRESSION,
    COPYING,
    COREFERENCE,
    DUPLICATE_TOKEN,
    EARLY_SINK,
    FIRST_BY_LENGTH,
    FIRST_TOKEN,
    INDUCTION,
    KEYWORDS,
    LOCAL,
    MIXED,
    NEXT_TOKEN,
    PREVIOUS_IN_COPIES,
    PREVIOUS_TOKEN,
    PUNCTUATION,
    RETRIEVAL,
    SAME_TOKEN,
    SEPARATOR,
    STREAMING,
    SYNTAX,
    partly,
)

# Okabe and Ito's palette without its black; its yellow comes last, since thin yellow lines vanish on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")

KINDS = (*COLOURS, "#4B3B8F", "#882255", "#117733", "#7A4419", "#44AA99")
"""The colours of things without one of their own, by their place."""

# What most heads of a model do, resting on the first token or looking everywhere, is quiet.
_ROLES = {
    SYNTAX: "#117733",
    COREFERENCE: "#882255",
    KEYWORDS: "#B15928",
    RETRIEVAL: "#785EF0",
    PREVIOUS_TOKEN: "#0072B2",
    NEXT_TOKEN: "#56B4E9",
    SAME_TOKEN: "#009E73",
    FIRST_TOKEN: "#9C7F63",
    SEPARATOR: "#E69F00",
    PUNCTUATION: "#CC79A7",
    BROAD: "#E2D48A",
    LOCAL: "#4B3B8F",
    INDUCTION: "#AA3377",
    DUPLICATE_TOKEN: "#661100",
    COPYING: "#6699CC",
    COPY_SUPPRESSION: "#2B2B2B",
    STREAMING: "#999933",
    PREVIOUS_IN_COPIES: "#003F66",
    EARLY_SINK: "#FE9F6D",
    FIRST_BY_LENGTH: "#A33B20",
    MIXED: "#B8B8B8",
}
_OTHER_ROLES = ("#7A4419", "#88CCEE", "#44AA99")


def role_colours(roles: Iterable[str]) -> dict[str, str]:
    """The colour of each role, in the order of a legend: known ones first, each always the same.

    What holds partly has the colour of the whole, which is made paler where it is drawn.

    >>> role_colours(["mixed", "rare words", "separator", "partly separator"])
    {'separator': '#E69F00', 'partly separator': '#E69F00', 'mixed': '#B8B8B8', 'rare words': '#7A4419'}
    """
    present = set(roles)
    known = {**_ROLES, **{partly(role): colour for role, colour in _ROLES.items()}}
    known[MIXED] = known.pop(MIXED)
    others = zip(sorted(present - set(known)), cycle(_OTHER_ROLES), strict=False)
    return {role: colour for role, colour in known.items() if role in present} | dict(others)

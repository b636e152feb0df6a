"""Which mentions have which antecedents, and what simple rules pick as antecedent.

All that is chosen, by a rule or by a head, is a word: the head word of a mention. A mention comes before
another if its head word does; an antecedent is an earlier mention of the same entity. So two mentions
with one head word are never antecedents of each other: no attention could tell them apart.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from headscope.text.mentions import Mentions

BASELINES = ("nearest", "head match", "head match or nearest", "sieves")
"""Nearest earlier mention; nearest with the same head word; the same, else the nearest; the four sieves."""


def earlier(mentions: Mentions) -> np.ndarray:
    """(mention, other) bool: the other's head word comes first."""
    before: np.ndarray = mentions.head[None] < mentions.head[:, None]
    return before


def links(mentions: Mentions) -> np.ndarray:
    """(mention, other) bool: the other is an antecedent."""
    same = mentions.entity[None] == mentions.entity[:, None]
    linked: np.ndarray = same & earlier(mentions)
    return linked


def only_shared(mentions: Mentions) -> np.ndarray:
    """(mention,) bool: other mentions of the entity have its very head word, and it has no antecedent."""
    same = mentions.entity[None] == mentions.entity[:, None]
    shared = same & (mentions.head[None] == mentions.head[:, None])
    alone: np.ndarray = (shared.sum(1) > 1) & ~links(mentions).any(1)
    return alone


def sieves(mentions: Mentions) -> list[np.ndarray]:
    """Four times (mention, other) bool: same words, same head word, agreement, anything earlier.

    The sieves of Clark et al. 2019, section 4.3, after Lee et al. 2011. Case does not matter. Mentions
    agree if person, number and gender differ in nothing that is known of both (`text.agreement`, English).
    """
    before = earlier(mentions)
    mine, other = mentions.features[:, None], mentions.features[None]
    agree = ((mine == other) | (mine == 0) | (other == 0)).all(-1)
    same = [names[None] == names[:, None] for names in (mentions.text, mentions.word)]
    return [before & sieve for sieve in (*same, agree, np.ones_like(agree))]


def picks(mentions: Mentions) -> np.ndarray:
    """The head word that each of the `BASELINES` picks, (mention, baseline); -1 where it finds none."""
    strings, words, agreement, anything = (nearest(mentions, sieve) for sieve in sieves(mentions))
    picked = [anything, words, first_of(words, anything), first_of(strings, words, agreement, anything)]
    return np.stack(picked, axis=1)


def nearest(mentions: Mentions, allowed: np.ndarray) -> np.ndarray:
    """The last head word among the allowed earlier mentions, (mention,); -1 where there is none.

    allowed: (mention, other) bool.
    """
    last: np.ndarray = np.where(allowed, mentions.head[None], -1).max(1, initial=-1)
    return last


def first_of(*picked: np.ndarray) -> np.ndarray:
    """The first of several picks that is not -1, (mention,)."""
    return reduce(lambda first, later: np.where(first >= 0, first, later), picked)


def right(mentions: Mentions, picked: np.ndarray) -> np.ndarray:
    """(mention, pick) bool: the picked word is the head of an antecedent; picked is (mention, pick)."""
    heads = np.where(links(mentions), mentions.head[None], -2)
    is_head: np.ndarray = (picked[:, :, None] == heads[:, None]).any(-1)
    return is_head

"""How many of the first phrases of a ranking are keyphrases, document by document (F1 at k).

Phrases are compared as they are given, whole: in lower case, and stemmed where that is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

CUTS = (5, 10, 15)
"""How many phrases are taken."""


class Found(NamedTuple):
    """Of one document and several rankings: phrases that are right, and candidates there are.

    right: (ranking, cut). candidates: different ones. wanted: different keyphrases.
    """

    right: np.ndarray
    candidates: int
    wanted: int


def found_at(
    scores: np.ndarray, phrases: Sequence[str], wanted: Collection[str], cuts: Sequence[int] = CUTS
) -> Found:
    """Rank phrases by scores (ranking, phrase), of equals the first; of equal phrases the best one counts.

    >>> found_at(np.array([[3.0, 2.0, 1.0]]), ["ship", "ship", "art"], {"art", "article"}, [1, 2])
    Found(right=array([[0, 1]]), candidates=2, wanted=2)
    """
    numbers = {phrase: number for number, phrase in enumerate(dict.fromkeys(phrases))}
    best = scores
    if len(numbers) < len(phrases):
        owner = np.array([numbers[phrase] for phrase in phrases])
        places = np.argsort(owner, kind="stable")
        best = np.maximum.reduceat(scores[:, places], np.flatnonzero(np.diff(owner[places], prepend=-1)), 1)
    is_right = np.array([phrase in wanted for phrase in numbers], np.int64)
    first = np.argsort(-best, axis=1, kind="stable")[:, : max(cuts)]
    right = np.zeros((len(scores), first.shape[1] + 1), np.int64)
    np.cumsum(is_right[first], 1, out=right[:, 1:])
    return Found(right[:, np.minimum(cuts, len(numbers))], len(numbers), len(set(wanted)))


def f1_at(found: Found, cuts: Sequence[int] = CUTS, by_cut: bool = False) -> np.ndarray:
    """F1 of one document, (ranking, cut); 0 where nothing is right.

    Precision divides by as many candidates as were taken, at most k (as SAMRank's code does), or with
    `by_cut` by k itself, however few candidates there are (as other papers do).

    >>> found = Found(np.array([[2, 2]]), candidates=4, wanted=4)
    >>> f1_at(found, [2, 10]).round(3).tolist(), f1_at(found, [2, 10], by_cut=True).round(3).tolist()
    ([[0.667, 0.5]], [[0.667, 0.286]])
    """
    taken = np.asarray(cuts) if by_cut else np.minimum(cuts, found.candidates)
    total = np.maximum(taken + found.wanted, 1)
    result: np.ndarray = 2 * found.right / total
    return result

"""Texts in other words that mean the same: do the words that both share keep their order?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headscope.measures.ranking import rank_agreement
from headscope.questions.trust.comparing import Given
from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.tables import mean
from headscope.results.vocabulary import NOT_TESTED

FEWEST_SHARED = 2
"""Words that both texts must share for one of them to come before another."""


@dataclass(frozen=True)
class Rewordings:
    """Of each reworded text, (answer,) each.

    tau: of the words that both texts share, NaN where they are too few, one of the texts ranks nothing, or
    both are the same text. random: the same with random orders. shared: how many there are. same: whether
    both are answered alike. equal: whether both are the same text, which says nothing.
    """

    tau: np.ndarray
    random: np.ndarray
    shared: np.ndarray
    same: np.ndarray
    equal: np.ndarray
    documents: np.ndarray

    @classmethod
    def of(cls, own: Given, reworded: Given) -> Rewordings:
        """own, reworded: the texts before and after."""
        rows = {document: row for row, document in enumerate(own.data["document"].values.tolist())}
        documents = reworded.data["document"].values
        tau, random, shared, same = found = np.full((4, len(documents)), np.nan)
        equal = np.zeros(len(documents), bool)
        for place, document in enumerate(documents.tolist()):
            if document in rows:
                found[:, place] = _of_pair(own, reworded, rows[document], place, document)
                equal[place] = list(own.words[document]) == list(reworded.words[document])
        tau[equal] = np.nan
        return cls(tau, random, shared, same, equal, documents)

    def judged(self, margin: float, seed: int) -> Judged:
        """Between random orders and the same order."""
        return judge(self.tau, self.random, np.ones(len(self.tau)), self.documents, margin, seed)


def _of_pair(
    own: Given, reworded: Given, row: int, place: int, document: int
) -> tuple[float, float, float, float]:
    """Tau, that of random orders, words shared, and whether a text and its rewording are answered alike."""
    before, after = shared_words(own.words[document], reworded.words[document])
    same = float(own.data["entry"].values[row] == reworded.data["entry"].values[place])
    if len(before) < FEWEST_SHARED:
        return np.nan, np.nan, len(before), same
    orders = [
        own.data["own"].values[row, before],
        reworded.data["own"].values[place, after],
        *reworded.data["chance"].values[place][:, after],
    ]
    taus = rank_agreement(np.abs(np.stack(orders)))[0]
    return float(taus[1]), float(taus[2:].mean()), len(before), same


def shared_words(one: Sequence[str], other: Sequence[str]) -> tuple[list[int], list[int]]:
    """Places of the words that two texts share, pair by pair, wherever they stand.

    A word that is there several times is paired as often as both have it, in order.

    >>> shared_words(["a", "fine", "film"], ["film", "of", "a", "kind"])
    ([0, 2], [2, 0])
    """
    places = defaultdict(list)
    for place, word in enumerate(other):
        places[word].append(place)
    pairs = [(place, places[word].pop(0)) for place, word in enumerate(one) if places[word]]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def rewordings_table(rewordings: Rewordings, margin: float, seed: int) -> pd.DataFrame:
    """One row: whether the words that both texts share keep their order."""
    judged = rewordings.judged(margin, seed)
    known = ~np.isnan(rewordings.tau)
    return pd.DataFrame(
        [
            {
                "texts": judged.documents,
                "equal": len(np.unique(rewordings.documents[rewordings.equal])),
                "verdict": judged.verdict if judged.answers else NOT_TESTED,
                "tau": judged.value,
                "tau_low": judged.value_low,
                "tau_high": judged.value_high,
                "random": judged.baseline,
                "shared": mean(rewordings.shared[known]),
                "same": mean(rewordings.same[known]),
            }
        ]
    )

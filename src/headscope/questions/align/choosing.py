"""Choosing a head and a way to read it on one half of the pairs, and scoring it on the other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import xarray as xr

from headscope.analyses.crossfit import cross_fit_scores
from headscope.measures.links import error_rate, found_of
from headscope.measures.statistics import ratio
from headscope.questions.align.readings import ANY, CHOICES, UNITS


class Kind(NamedTuple):
    """Among what is chosen: heads or layers, by which measure, token and choice; `ANY` leaves one open."""

    unit: str
    measure: str = ANY
    token: str = ANY
    choice: str = ANY


@dataclass(frozen=True, eq=False)
class Candidates:
    """All heads and layers in all readings, one after the other.

    counts: (block, candidate, reference, `COUNTS`). The others are (candidate,) each: which item it is, what
    it is called, whether head or layer, and how it is read.
    """

    counts: np.ndarray
    item: np.ndarray
    name: np.ndarray
    unit: np.ndarray
    measure: np.ndarray
    token: np.ndarray
    rule: np.ndarray

    @classmethod
    def of(cls, dataset: xr.Dataset) -> Candidates:
        """Take the arrays of the analysis."""
        axes = ("measure", "token", "rule", "item")
        values = dataset["counts"].transpose("block", *axes, "reference", "count").values
        sizes = [dataset.sizes[axis] for axis in axes]
        measure, token, rule, item = (each.ravel() for each in np.indices(sizes))
        named = {axis: dataset[axis].values.astype(str) for axis in (*axes, "unit")}
        return cls(
            values.reshape(len(values), -1, *values.shape[-2:]), item, named["item"][item],
            named["unit"][item], named["measure"][measure], named["token"][token], named["rule"][rule],
        )  # fmt: skip

    def among(self, kind: Kind) -> np.ndarray:
        """The numbers of the candidates of a kind."""
        choice = np.char.partition(self.rule, " ")[:, 0]
        fits = (self.unit == kind.unit) & np.isin(choice, CHOICES)
        for asked, own in ((kind.measure, self.measure), (kind.token, self.token), (kind.choice, choice)):
            fits &= (own == asked) | (asked == ANY)
        return np.flatnonzero(fits)

    def choose(self, kind: Kind) -> Chosen:
        """The best of a kind, honestly scored, and the best on all pairs."""
        some = self.among(kind)
        chosen, counts = cross_fit_scores(self.counts[:, some], score)
        picked = np.where(chosen < 0, -1, some[chosen])
        errors = error_rate(self.counts[:, some].sum(0))  # (candidate, reference)
        known = np.where(np.isnan(errors), np.inf, errors)
        least = np.where(np.isnan(errors).all(0), np.nan, known.min(0))
        return Chosen(kind, picked, counts, some[known.argmin(0)], least)

    def kinds(self) -> list[Kind]:
        """Any head and any layer, then heads and layers in each way to read them."""
        measures, tokens = (dict.fromkeys(each.tolist()) for each in (self.measure, self.token))
        return [*map(Kind, UNITS), *(Kind(*each) for each in product(UNITS, measures, tokens, CHOICES))]


@dataclass(frozen=True, eq=False)
class Chosen:
    """What was chosen of a kind.

    picked: (half, reference), the candidate scored on each half, -1 without a choice. counts: (block,
    reference, `COUNTS`), what it is worth there. best, best_error: (reference,), the best on all pairs.
    """

    kind: Kind
    picked: np.ndarray
    counts: np.ndarray
    best: np.ndarray
    best_error: np.ndarray


def score(counts: np.ndarray) -> np.ndarray:
    """One minus the alignment error rate, of counts (..., `COUNTS`); NaN where there is no link at all."""
    return ratio(*found_of(counts))

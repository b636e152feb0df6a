"""Which head explains best: every head's numbers, and an honest best one.

The best of many heads is a maximum of noisy numbers: each half of the documents chooses, the other scores.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.analysis import names_of_heads
from headscope.heads import Head
from headscope.measures.faithfulness import normalised
from headscope.models import Model
from headscope.questions.trust.analysis import HEAD_MEASURES
from headscope.questions.trust.judging import LEAST_ROOM
from headscope.questions.trust.numbers import AOPC, BEST, TAU, UNTIL, WORST, Numbers, halves, means
from headscope.questions.trust.tables import interval, mean

BEST_HEADS = 10
"""Heads that each half chooses, whose place between the model's own limits the other half tells."""

HALVES = ("first", "second")


def chosen_heads(dataset: xr.Dataset) -> list[np.ndarray]:
    """Of each half, the numbers of the heads that agree best with leave-one-out in the other half."""
    taus, half = _taus(dataset), halves(dataset["document"].values)
    order = [np.argsort(-means(taus[half != own]), kind="stable") for own in (0, 1)]
    return [numbers[:BEST_HEADS] if (half != own).any() else numbers[:0] for own, numbers in enumerate(order)]


def heads_table(
    model: Model,
    heads: Sequence[Head],
    dataset: xr.Dataset,
    numbers: Numbers,
    again: xr.Dataset | None,
    seed: int,
) -> pd.DataFrame:
    """A row for each head; again: of the same answers, how far they fall by the heads that were chosen."""
    documents, values = dataset["document"].values, dataset["head_value"].values
    table = pd.DataFrame(names_of_heads(model, heads))
    for measure in (TAU, UNTIL):
        columns = values[..., HEAD_MEASURES.index(measure)].T
        table[measure] = [mean(column) for column in columns]
        ends = [interval(column, documents, seed) for column in columns]
        table[[f"{measure}_low", f"{measure}_high"]] = np.reshape(ends, (len(heads), 2))
    table["naopc"] = _naopc(numbers, again, table["head"].tolist())
    return table


def _naopc(numbers: Numbers, again: xr.Dataset | None, names: Sequence[str]) -> list[float]:
    """Of each head that a half chose, its place between worst and best order in the other half."""
    if again is None:
        return [np.nan] * len(names)
    low, high = (numbers.measure(AOPC, name) for name in (WORST, BEST))
    found = {
        str(name): mean(normalised(area, low, high, LEAST_ROOM))
        for name, area in zip(again["head"].values, again["area"].values.T, strict=True)
    }
    return [found.get(name, np.nan) for name in names]


def best_head_table(dataset: xr.Dataset, numbers: Numbers, seed: int) -> pd.DataFrame:
    """A row for each half: the head that the other half chose, beside the explanation on trial."""
    taus, half, names = _taus(dataset), halves(numbers.documents), dataset["head"].values.tolist()
    rows = []
    for own, best in enumerate(chosen_heads(dataset)):
        if len(best) and (half == own).any():
            documents = numbers.documents[half == own]
            tau, on_trial = taus[half == own, best[0]], numbers.on_trial(TAU)[half == own]
            low, high = interval(tau - on_trial, documents, seed)
            difference = {"difference": mean(tau - on_trial), "low": low, "high": high}
            told = {"half": HALVES[own], "head": names[best[0]], "tau": mean(tau), "on_trial": mean(on_trial)}
            rows.append({**told, **difference, "answers": len(tau)})
    columns = ("half", "head", "tau", "on_trial", "difference", "low", "high", "answers")
    return pd.DataFrame(rows, columns=columns)


def _taus(dataset: xr.Dataset) -> np.ndarray:
    """(answer, head)"""
    taus: np.ndarray = dataset["head_value"].values[..., HEAD_MEASURES.index(TAU)]
    return taus

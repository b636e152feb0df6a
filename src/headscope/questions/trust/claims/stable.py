"""is stable: a model trained with another seed gives nearly the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from headscope.measures.ranking import rank_agreement
from headscope.questions.trust.judging import Judged, judge


def stable(
    own: xr.Dataset, others: Sequence[xr.Dataset], twin: xr.Dataset, margin: float, seed: int
) -> Judged:
    """Kendall's tau of the words' order with those of other seeds, between a random twin's and 1."""
    value = np.mean([taus(own, other) for other in others], 0)
    return judge(value, taus(own, twin), np.ones(len(value)), own["document"].values, margin, seed)


def taus(own: xr.Dataset, other: xr.Dataset) -> np.ndarray:
    """Tau-b of two orders of the same words, (answer,); NaN where one of them ranks nothing."""
    pairs = np.stack([own["own"].values, other["own"].values], 1)  # (answer, 2, word)
    return np.array([rank_agreement(np.abs(pair))[0, 1] for pair in pairs])

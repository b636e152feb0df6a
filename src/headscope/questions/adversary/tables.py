"""Means over models: the curve of a sweep, and what given maps are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from headscope.measures.regimes import step, two_groups
from headscope.questions.adversary.kinds import ADVERSARY, MEASURES, SPREAD

LEAST = 3
"""Models of a group: fewer are single models that lie apart."""

FEWEST = 2 * LEAST
"""Models of a penalty that can be parted into two groups."""

STEP = ("along", "models", "place", "low", "high", "before", "behind", "gain")
AXES = {"penalty": "place", "jsd_matched": "jsd_matched", "kl": "kl"}
"""What scores are followed along, and the column of numbers for it."""


def means_table(runs: pd.DataFrame, keys: Sequence[str], measures: Sequence[str]) -> pd.DataFrame:
    """One row per kind of model: means, and the spread of some measures; those that diverged are counted."""
    rows = []
    for values, own in runs.groupby(list(keys), sort=False, dropna=False):
        good = own[~own["diverged"].astype(bool)]
        row = dict(zip(keys, values, strict=True)) | {"models": len(good), "diverged": len(own) - len(good)}
        for name in measures:
            row[name] = good[name].mean()
            if name in SPREAD:
                row[f"{name}_lowest"], row[f"{name}_highest"] = good[name].min(), good[name].max()
        row["deviation"] = good["score"].std(ddof=1) if len(good) > 1 else np.nan
        rows.append(row)
    return pd.DataFrame(rows)


def curve_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Adversaries by penalty, then what stands beside them."""
    return means_table(runs, ("kind", "attention", "penalty"), MEASURES)


def frozen_table(given: pd.DataFrame) -> pd.DataFrame:
    """Whose maps, in which net."""
    return means_table(given, ("net", "maps", "penalty"), ("score", "f1", "loss"))


def adversaries_of(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of the sweep that came to an end, with the place of their penalty in the grid."""
    own = runs[(runs["kind"] == ADVERSARY) & ~runs["diverged"].astype(bool)].copy()
    own["place"] = np.unique(own["penalty"].astype(float), return_inverse=True)[1]
    return own


def regimes_table(runs: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Every penalty with enough models: whether their scores part into two groups."""
    rows = []
    for penalty, own in adversaries_of(runs).groupby("penalty"):
        if len(own) >= FEWEST:
            scores = own["score"].to_numpy(float)
            groups = two_groups(scores, seed, least=LEAST)
            ordered = np.sort(scores)
            higher_from = min(groups.below, len(scores) - 1)
            higher = scores >= ordered[higher_from]
            far = own["jsd_matched"].to_numpy(float)
            rows.append(
                {
                    "penalty": penalty,
                    "models": len(own),
                    "lower_models": groups.below,
                    "lower": groups.low,
                    "higher": groups.high,
                    "gap": ordered[higher_from] - ordered[higher_from - 1],
                    "lower_jsd": far[~higher].mean() if (~higher).any() else np.nan,
                    "higher_jsd": far[higher].mean(),
                    "share": groups.share,
                    # Equal scores are of few texts, and no draws from a normal distribution.
                    "p": groups.p if len(np.unique(scores)) == len(scores) else 1.0,
                }
            )
    columns = [
        "penalty",
        "models",
        "lower_models",
        "lower",
        "higher",
        "gap",
        "lower_jsd",
        "higher_jsd",
        "share",
        "p",
    ]
    return pd.DataFrame(rows, columns=columns)


def collapse_table(runs: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Where scores of adversaries step, along the penalty and along the divergence of attention.

    Empty where a penalty has one model: of single models no step can be told from chance.
    """
    own = adversaries_of(runs)
    penalties, models = np.unique(own["penalty"].to_numpy(float), return_counts=True)
    rows: list[dict[str, Any]] = []
    if len(penalties) < 3 or models.min() < 2:
        return pd.DataFrame(rows, columns=STEP)
    for axis, column in AXES.items():
        found = step(own[column].to_numpy(float), own["score"].to_numpy(float), own["place"].to_numpy(), seed)
        place, low, high = found.place, found.low, found.high
        if axis == "penalty":  # between two of the grid nothing was tried: the interval ends at them
            place, low, high = (
                _between(penalties, place),
                float(penalties[int(np.floor(low))]),
                float(penalties[int(np.ceil(high))]),
            )
        levels = found.before, found.behind, found.gain
        rows.append(dict(zip(STEP, (axis, len(own), place, low, high, *levels), strict=True)))
    return pd.DataFrame(rows)


def _between(penalties: np.ndarray, place: float) -> float:
    """The penalty half-way, on a logarithmic scale, between two places of the grid; half of the first.

    >>> round(_between(np.array([0.0, 0.01, 0.04]), 1.5), 3), _between(np.array([0.0, 0.01]), 0.5)
    (0.02, 0.005)
    """
    below, above = penalties[int(np.floor(place))], penalties[int(np.ceil(place))]
    return float(np.sqrt(below * above) if below > 0 else above / 2)

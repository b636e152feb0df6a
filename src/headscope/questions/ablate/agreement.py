"""Whether two orders of the heads agree: correlations over heads, with intervals from resampled examples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr
from scipy.stats import rankdata

from headscope.analyses.importance import importance_of, layer_normalised

PUBLISHED = {"newstest2013 and MTNT": 0.56, "MNLI matched and mismatched": 0.68}
"""Pearson's r of single-head effects in Michel et al. 2019, figure 2."""

SCORES = ("example", "token", "confidence")
NORMALISED = {"example": "example_normalised", "token": "token_normalised"}


def pearson(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Correlation over the last axis, twice (..., head) to (...); NaN where one side never varies.

    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])).item()
    1.0
    """
    left, right = (side - side.mean(-1, keepdims=True) for side in (first, second))
    below = np.sqrt((left**2).sum(-1) * (right**2).sum(-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation: np.ndarray = np.clip((left * right).sum(-1) / below, -1, 1)
    return correlation


def spearman(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The same of ranks; equal values share theirs."""
    return pearson(rankdata(first, axis=-1), rankdata(second, axis=-1))


def interval(drawn: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Percentiles of what was drawn, (draw,); NaN if nothing was defined."""
    known = drawn[np.isfinite(drawn)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def importance_table(importance: xr.Dataset) -> pd.DataFrame:
    """One row per head: each score as it is, and normalised by layer."""
    names = ("head", "stack", "layer", "index")
    table = pd.DataFrame({name: importance[name].values for name in names})
    layers = _layers(importance)
    for score in ("example", "token"):
        table[score] = importance[score].values
        table[NORMALISED[score]] = layer_normalised(importance[score].values, layers)
    return table.assign(confidence=importance["confidence"].values)


def importance_draws(importance: xr.Dataset, seed: int, draws: int = 1000) -> dict[str, np.ndarray]:
    """Every score in resampled blocks of documents, (draw, head)."""
    sums, counts = importance["sums"].values, importance["counts"].values
    used = counts.any((1, 2))
    size = int(used.sum())
    weights = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), draws)
    drawn = [np.tensordot(weights.astype(np.float64), blocks[used], axes=1) for blocks in (sums, counts)]
    scores = importance_of(drawn[0], drawn[1], importance["pooled"].values)
    for score, name in NORMALISED.items():
        scores[name] = layer_normalised(scores[score], _layers(importance))
    return scores


def agreement_table(
    table: pd.DataFrame,
    importance: dict[str, np.ndarray],
    harm: dict[str, np.ndarray],
    drawn: dict[str, np.ndarray],
) -> pd.DataFrame:
    """Rank correlation of each score with the harm done by removing a head.

    table: a row per head. importance: each score drawn, (draw, head). harm: by what it is measured on, how
    much worse the model is without each head, (head,); drawn: the same, (draw, head).
    """
    rows = []
    for score in (*SCORES, *NORMALISED.values()):
        for against, truth in harm.items():
            known = spearman(table[score].to_numpy(), truth).item()
            low, high = interval(spearman(importance[score], drawn[against]))
            rows.append({"score": score, "against": against, "spearman": known, "low": low, "high": high})
    return pd.DataFrame(rows)


def effects_agreement(
    effects: Sequence[np.ndarray], drawn: Sequence[np.ndarray], names: tuple[str, str]
) -> pd.DataFrame:
    """Correlation over heads of the effects on two data sets, (head,) each, and drawn, (draw, head) each."""
    rows = []
    for name, measure in (("pearson", pearson), ("spearman", spearman)):
        low, high = interval(measure(*drawn))
        value = measure(*effects).item()
        rows.append(
            {"data": names[0], "other": names[1], "measure": name, "value": value, "low": low, "high": high}
        )
    return pd.DataFrame(rows)


def _layers(importance: xr.Dataset) -> list[tuple[str, int]]:
    stacks, layers = importance["stack"].values.tolist(), importance["layer"].values.tolist()
    return list(zip(stacks, layers, strict=True))

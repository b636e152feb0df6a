"""The tables of speeds: slow points, whether faster ones forget more, what training for slowness does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from headscope.measures.slowness import rank_correlation
from headscope.measures.statistics import holm, sign_flip
from headscope.questions.memory.nets import LONGER, PLAIN, SLOWER, OfNets
from headscope.questions.memory.options import ALL
from headscope.questions.memory.shares import Found, has_learned, named, shares_of
from headscope.questions.memory.slowing import Arrays
from headscope.results.finding import LEVEL

POOLED, WITHIN, BETWEEN = "pooled", "within models", "between models"


def slow_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per model and class."""
    rows = []
    for kind, arrays in found.items():
        for own in range(question.options.classes):
            numbers = {
                name: float(arrays[f"{PLAIN}/{name}"][own]) for name in ("mean_speed", "speed", "read")
            }
            numbers |= {"retained": float(arrays["right"][-1, own]), "moved": float(arrays["moved"][own])}
            rows.append({**named(kind), "class": own, **numbers, "learned": has_learned(question, arrays)})
    table = pd.DataFrame(rows)
    return table.assign(read=table["read"] == 1)


def forgetting_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per kind of net, scope and delay beyond training: speed of slow points and accuracy."""
    groups = _learned(question, found)
    if len(groups) > 1:
        groups[ALL] = [arrays for own in groups.values() for arrays in own]
    rows = [
        {"net": net, "delay": question.delays[place], **row}
        for net, own in groups.items()
        for place in beyond(question) or [len(question.delays) - 1]
        for row in _scopes(own, place, question)
    ]
    table = pd.DataFrame(rows)
    adjusted = holm(table["p"].to_numpy())
    return table.assign(adjusted=adjusted, sure=np.nan_to_num(adjusted, nan=1.0) < LEVEL)


def beyond(question: OfNets) -> list[int]:
    """Which delays are longer than any in training, as places in all of them."""
    return [place for place, delay in enumerate(question.delays) if delay > question.options.delay]


def _learned(question: OfNets, found: Found) -> dict[str, list[Arrays]]:
    """The models of each net that have learned."""
    groups: dict[str, list[Arrays]] = {kind.net: [] for kind in found}
    for kind, arrays in found.items():
        if has_learned(question, arrays):
            groups[kind.net].append(arrays)
    return groups


def _scopes(found: list[Arrays], place: int, question: OfNets) -> Iterator[dict[str, Any]]:
    """Pooled over all points, within each model, and between the means of models."""
    shape, seed = (len(found), question.options.classes), question.options.seed
    speed = np.array([arrays[f"{PLAIN}/speed"] for arrays in found]).reshape(shape)  # (model, class)
    right = np.array([arrays["right"][place] for arrays in found]).reshape(shape)
    known = ~np.isnan(speed)
    model = np.broadcast_to(np.arange(len(found))[:, None], speed.shape)
    whole = known.any(1)
    means = [
        np.array([values[own, known[own]].mean() for own in np.flatnonzero(whole)])
        for values in (speed, right)
    ]
    compared: list[tuple[str, np.ndarray, np.ndarray, np.ndarray]] = [
        (POOLED, speed[known], right[known], np.zeros(known.sum())),
        (WITHIN, speed[known], right[known], model[known]),
        (BETWEEN, means[0], means[1], np.zeros(len(means[0]))),
    ]
    for scope, first, second, group in compared:
        spearman, p = rank_correlation(first, second, group, seed) if len(first) > 2 else (np.nan, np.nan)
        models, points = int(whole.sum()), len(first)
        yield {"scope": scope, "models": models, "points": points, "spearman": spearman, "p": p}


def slowed_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per model and what was done to it after its training."""
    rows = []
    for kind, arrays in found.items():
        for after in (PLAIN, LONGER, SLOWER):
            right = shares_of(question, arrays["right" if after == PLAIN else f"{after}/right"])
            speed = arrays[f"{after}/speed"]
            rows.append(
                {
                    **named(kind),
                    "after": after,
                    "speed": float(np.nanmedian(speed)) if (~np.isnan(speed)).any() else np.nan,
                    "read": float(np.nan_to_num(arrays[f"{after}/read"]).mean()),
                    "shortest": right[0],
                    "longest": right[-1],
                }
            )
    return pd.DataFrame(rows)


def change_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per kind of net and delay: models with the penalty against the same ones without.

    Tested are delays beyond training; at others there is hardly an answer to win.
    """
    rows, far = [], beyond(question)
    for net, own in _learned(question, found).items():
        ratios = np.array([_log_ratio(arrays) for arrays in own])
        known = ratios[~np.isnan(ratios)]
        slower, longer = (
            np.array([shares_of(question, arrays[f"{after}/right"]) for arrays in own])
            for after in (SLOWER, LONGER)
        )
        changes = (slower - longer).reshape(len(own), len(question.delays))
        for place, delay in enumerate(question.delays):
            rows.append(
                {
                    "net": net,
                    "delay": delay,
                    "models": len(own),
                    "speed": float(np.exp(known.mean())) if len(known) else np.nan,
                    "speed_p": _either_way(known),
                    "change": float(changes[:, place].mean()) if own else np.nan,
                    "p": _either_way(changes[:, place]) if place in far else np.nan,
                }
            )
    table = pd.DataFrame(rows)
    return table.assign(adjusted=holm(table["p"].to_numpy()))


def _log_ratio(arrays: Arrays) -> float:
    """Of the speeds with and without the penalty, mean over classes; NaN where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(arrays[f"{SLOWER}/speed"] / arrays[f"{LONGER}/speed"])
    ratio = ratio[np.isfinite(ratio)]
    return float(ratio.mean()) if len(ratio) else np.nan


def _either_way(differences: np.ndarray) -> float:
    """Two-sided p of paired differences by random signs, (model,); NaN without a model."""
    if not len(differences):
        return np.nan
    if not differences.any():
        return 1.0
    sides = sign_flip(np.stack([differences, -differences], 1), seed=0)
    return float(min(1.0, 2 * sides.min()))

"""The tables of nets: accuracy by delay, slow points, whether faster ones forget more, what slowing does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from scipy.stats import beta

from headscope.measures.slowness import rank_correlation
from headscope.measures.statistics import holm, sign_flip
from headscope.questions.memory.learning import Kind
from headscope.questions.memory.nets import LONGER, PLAIN, SLOWER, OfNets
from headscope.questions.memory.options import ALL, CURRICULA
from headscope.questions.memory.slowing import Arrays
from headscope.results.finding import LEVEL

POOLED, WITHIN, BETWEEN = "pooled", "within models", "between models"
Found = Mapping[Kind, Arrays]


def tables_of_nets(question: OfNets, found: Found) -> dict[str, pd.DataFrame]:
    """All tables that there are; without recurrent nets, none of slow points."""
    models = models_table(question, found)
    tables = {"retention": retention_table(question, models), "retention_models": models}
    slow = {kind: arrays for kind, arrays in found.items() if kind.has_slow_points}
    if slow:
        tables["slow_points"] = slow_table(question, slow)
        tables["forgetting"] = forgetting_table(question, slow)
        if {kind.curriculum for kind in slow} == {*CURRICULA}:
            tables["curricula"] = curricula_table(tables["retention"])
        if question.options.slower:
            tables["slowed"] = slowed_table(question, slow)
            tables["slowed_change"] = change_table(question, slow)
    return tables


def named(kind: Kind) -> dict[str, Any]:
    """The columns that tell a model."""
    return {"net": kind.net, "curriculum": kind.curriculum, "seed": kind.seed}


def exact_interval(right: np.ndarray, of: int, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Clopper and Pearson 1934: between which shares so many right answers are no rare chance.

    >>> low, high = exact_interval(np.array([0.0, 5.0]), 5)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.48], [0.52, 1.0])
    """
    tail = (1 - level) / 2
    low = np.where(right > 0, beta.ppf(tail, right, of - right + 1), 0.0)
    high = np.where(right < of, beta.ppf(1 - tail, right + 1, of - right), 1.0)
    return low, high


def models_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per model and delay."""
    size = question.options.tested
    weights = np.bincount(np.arange(size) % question.options.classes, minlength=question.options.classes)
    rows = []
    for kind, arrays in found.items():
        shares = arrays["right"] @ weights / size
        low, high = exact_interval(np.rint(shares * size), size)
        for place, delay in enumerate(question.delays):
            numbers = {"accuracy": shares[place], "low": low[place], "high": high[place]}
            rows.append({**named(kind), "delay": delay, **numbers, "chance": 1 / question.options.classes})
    return pd.DataFrame(rows)


def retention_table(question: OfNets, models: pd.DataFrame) -> pd.DataFrame:
    """One row per kind of net, curriculum and delay: over all seeds."""
    rows, size = [], question.options.tested
    grouped = models.groupby(["net", "curriculum", "delay"], sort=False)
    for (net, curriculum, place), own in grouped:
        delay = int(str(place))
        shares = own["accuracy"].to_numpy()
        least = exact_interval(np.rint(shares.min() * size), size, 1 - LEVEL / grouped.ngroups)[0]
        rows.append(
            {
                "net": net,
                "curriculum": curriculum,
                "delay": delay,
                "beyond": delay > question.options.delay,
                "models": len(own),
                "mean": shares.mean(),
                "deviation": shares.std(ddof=1) if len(own) > 1 else np.nan,
                "lowest": shares.min(),
                "highest": shares.max(),
                "chance": 1 / question.options.classes,
                "sure": bool(least > 1 / question.options.classes),
            }
        )
    table = pd.DataFrame(rows)
    first = table.groupby(["net", "curriculum"], sort=False)["mean"].transform("first")
    return table.assign(change=table["mean"] - first)


def slow_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per model and class."""
    rows = []
    for kind, arrays in found.items():
        for own in range(question.options.classes):
            numbers = {
                name: float(arrays[f"{PLAIN}/{name}"][own]) for name in ("mean_speed", "speed", "read")
            }
            retained, moved = float(arrays["right"][-1, own]), float(arrays["moved"][own])
            rows.append({**named(kind), "class": own, **numbers, "retained": retained, "moved": moved})
    table = pd.DataFrame(rows)
    return table.assign(read=table["read"] == 1)


def forgetting_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per kind of net, scope and delay beyond training: speed of slow points and accuracy."""
    nets = list(dict.fromkeys(kind.net for kind in found))
    groups = {net: [kind for kind in found if kind.net == net] for net in nets}
    if len(nets) > 1:
        groups[ALL] = list(found)
    far = [place for place, delay in enumerate(question.delays) if delay > question.options.delay]
    rows = [
        {"net": net, "delay": question.delays[place], **row}
        for net, kinds in groups.items()
        for place in far or [len(question.delays) - 1]
        for row in _scopes([found[kind] for kind in kinds], place, question.options.seed)
    ]
    table = pd.DataFrame(rows)
    adjusted = holm(table["p"].to_numpy())
    return table.assign(adjusted=adjusted, sure=np.nan_to_num(adjusted, nan=1.0) < LEVEL)


def _scopes(found: list[Arrays], place: int, seed: int) -> Iterator[dict[str, Any]]:
    """Pooled over all points, within each model, and between the means of models."""
    speed = np.stack([arrays[f"{PLAIN}/speed"] for arrays in found])  # (model, class)
    right = np.stack([arrays["right"][place] for arrays in found])
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


def curricula_table(retention: pd.DataFrame) -> pd.DataFrame:
    """One row per kind of net and delay that both curricula trained."""
    sides = [
        retention.loc[retention["curriculum"] == name, ["net", "delay", "mean"]].rename(
            columns={"mean": f"by_{name}"}
        )
        for name in CURRICULA
    ]
    table = sides[0].merge(sides[1], on=["net", "delay"])
    return table.assign(difference=table["by_vocabulary"] - table["by_delay"])


def slowed_table(question: OfNets, found: Found) -> pd.DataFrame:
    """One row per model and what was done to it after its training."""
    rows = []
    for kind, arrays in found.items():
        for after in (PLAIN, LONGER, SLOWER):
            right = arrays["right" if after == PLAIN else f"{after}/right"].mean(1)
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
    """One row per kind of net and delay: models with the penalty against the same ones without."""
    rows = []
    for net in dict.fromkeys(kind.net for kind in found):
        own = [arrays for kind, arrays in found.items() if kind.net == net]
        ratios = np.array([_log_ratio(arrays) for arrays in own])
        known = ratios[~np.isnan(ratios)]
        for place, delay in enumerate(question.delays):
            change = [
                float((arrays[f"{SLOWER}/right"][place] - arrays[f"{LONGER}/right"][place]).mean())
                for arrays in own
            ]
            rows.append(
                {
                    "net": net,
                    "delay": delay,
                    "models": len(own),
                    "speed": float(np.exp(known.mean())) if len(known) else np.nan,
                    "speed_p": _either_way(known),
                    "change": float(np.mean(change)),
                    "p": _either_way(np.array(change)),
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
    """Two-sided p of paired differences by random signs, (model,)."""
    if not differences.any():
        return 1.0
    sides = sign_flip(np.stack([differences, -differences], 1), seed=0)
    return float(min(1.0, 2 * sides.min()))


def arrays_of_nets(question: OfNets, found: Found) -> xr.Dataset:
    """`accuracy` (model, delay, class); `path` (recurrent, class, step, component) of mean states in two
    principal components, whose shares of the variance are `explained`.
    """
    slow = {kind: arrays for kind, arrays in found.items() if kind.has_slow_points}
    data: dict[str, Any] = {
        "accuracy": (("model", "delay", "class"), np.stack([own["right"] for own in found.values()]))
    }
    coords: dict[str, Any] = {"model": [kind.name for kind in found], "delay": question.delays}
    if slow:
        data["path"] = (
            ("recurrent", "class", "step", "component"),
            np.stack([own["path"] for own in slow.values()]),
        )
        data["explained"] = (
            ("recurrent", "component"),
            np.stack([own["explained"] for own in slow.values()]),
        )
        coords["recurrent"] = [kind.name for kind in slow]
    return xr.Dataset(data, coords=coords)

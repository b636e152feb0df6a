"""The tables of nets: accuracy by delay, over seeds and by curriculum."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from scipy.stats import beta

from headscope.questions.memory.nets import OfNets
from headscope.questions.memory.options import CURRICULA
from headscope.questions.memory.shares import Found, has_learned, named, shares_of
from headscope.questions.memory.tables_of_speeds import (
    change_table,
    forgetting_table,
    slow_table,
    slowed_table,
)
from headscope.results.finding import LEVEL


def tables_of_nets(question: OfNets, found: Found) -> dict[str, pd.DataFrame]:
    """All tables that there are; without recurrent nets, none of slow points."""
    models = models_table(question, found)
    tables = {"retention": retention_table(question, models, found), "retention_models": models}
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
    rows, size = [], question.options.tested
    for kind, arrays in found.items():
        shares = shares_of(question, arrays["right"])
        low, high = exact_interval(np.rint(shares * size), size)
        for place, delay in enumerate(question.delays):
            numbers = {"accuracy": shares[place], "low": low[place], "high": high[place]}
            rows.append({**named(kind), "delay": delay, **numbers, "chance": 1 / question.options.classes})
    return pd.DataFrame(rows)


def retention_table(question: OfNets, models: pd.DataFrame, found: Found) -> pd.DataFrame:
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
    learned = Counter(
        (kind.net, kind.curriculum) for kind, arrays in found.items() if has_learned(question, arrays)
    )
    table.insert(5, "learned", [learned[key] for key in zip(table["net"], table["curriculum"], strict=True)])
    return table.assign(change=table["mean"] - first)


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

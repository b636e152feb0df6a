"""Heads over checkpoints: curves, and since when a head is closer to true trees than to swapped ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.closeness import TREES
from headscope.measures.onsets import onsets
from headscope.questions.checkpoints import Point, steps
from headscope.questions.structure.scores import HEAD, advantage, compare, group_means, mean_kl
from headscope.results.vocabulary import SWAPPED


def curves_table(points: Sequence[Point], seed: int) -> pd.DataFrame:
    """One row per checkpoint, stack, target and tree: the mean over heads, with intervals over documents."""
    tables = []
    for step, point in zip(steps(points), points, strict=True):
        for stack in dict.fromkeys(point.dataset["stack"].values.tolist()):
            own = point.dataset.isel(head=np.flatnonzero(point.dataset["stack"].values == stack))
            means = group_means(own, seed)
            tables.append(means.assign(series=point.series, checkpoint=point.name, step=step, stack=stack))
    table = pd.concat(tables, ignore_index=True)
    names = ["series", "checkpoint", "step", "stack"]
    return table[[*names, *[name for name in table if name not in names]]]


def onsets_table(points: Sequence[Point], seed: int) -> pd.DataFrame:
    """One row per series, head and target: the first checkpoint from which it is better for good, and its
    order.

    Better: closer to true trees than to those of other sentences, by the interval for all heads at once.
    Heads with the same onset have the same place in the order; heads without one have none.
    """
    tables = []
    for series in dict.fromkeys(point.series for point in points):
        own = [point for point in points if point.series == series]
        for target in own[0].dataset["target"].values:
            better = np.stack([_better(point.dataset, str(target), seed) for point in own])
            step = onsets(better)
            rows = pd.DataFrame({name: own[0].dataset[name].values for name in HEAD})
            names = np.array([*(point.name for point in own), ""], object)
            order = pd.Series(np.where(step < 0, np.nan, step)).rank(method="min")
            tables.append(
                rows.assign(
                    series=series,
                    target=str(target),
                    checkpoint=names[step],
                    step=np.where(step < 0, np.nan, step),
                    order=order,
                    closer=better.sum(0),
                    checkpoints=len(own),
                )
            )
    return pd.concat(tables, ignore_index=True)


def strips(points: Sequence[Point]) -> xr.Dataset:
    """Divergences of every head at every checkpoint, (checkpoint, head, target, tree).

    `advantage` is that over trees of other sentences, (checkpoint, head, target).
    """
    first = points[0].dataset
    values = np.stack(
        [np.stack([mean_kl(point.dataset.sel(tree=tree)) for tree in TREES], axis=-1) for point in points]
    )
    coords = {name: ("head", first[name].values) for name in HEAD}
    labels = {
        "target": first["target"].values,
        "tree": list(TREES),
        "series": ("checkpoint", np.array([point.series for point in points], object)),
        "checkpoint": ("checkpoint", np.array([point.name for point in points], object)),
        "step": ("checkpoint", steps(points)),
    }
    gap = np.stack([advantage(point.dataset) for point in points])
    dims = ("checkpoint", "head", "target")
    return xr.Dataset(
        {"kl": ((*dims, "tree"), values), "advantage": (dims, gap)}, coords={**coords, **labels}
    )


def _better(dataset: xr.Dataset, target: str, seed: int) -> np.ndarray:
    tested = compare(dataset, target, SWAPPED, seed)[2]
    better: np.ndarray = tested.significant & (tested.value < 0)
    return better

"""Removing heads one after the other: orders, the conditions of their curves, and the areas under these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.ablation import Condition
from headscope.analyses.effects import on_loss, on_metric
from headscope.heads import Head
from headscope.questions.prune.options import RANDOM
from headscope.tasks.metrics import Metric


@dataclass(frozen=True)
class Order:
    """Heads in the order in which they are removed; `run` numbers random ones."""

    name: str
    heads: tuple[Head, ...]
    run: int = 0


def counts_of(heads: int, steps: int) -> list[int]:
    """How many heads are gone at each step, from none to all.

    >>> counts_of(72, 10)
    [0, 7, 14, 22, 29, 36, 43, 50, 58, 65, 72]
    """
    return sorted({round(heads * step / steps) for step in range(steps + 1)})


def by_score(heads: Sequence[Head], scores: np.ndarray) -> tuple[Head, ...]:
    """The head with the lowest score (head,) first; equal ones in the order of layers."""
    return tuple(heads[place] for place in np.argsort(scores, kind="stable"))


def random_orders(heads: Sequence[Head], number: int, seed: int) -> list[Order]:
    """Orders drawn at random; the first of many are those of few."""
    generator = np.random.default_rng(seed)
    drawn = [generator.permutation(len(heads)) for _ in range(number)]
    return [Order(RANDOM, tuple(heads[place] for place in places), run) for run, places in enumerate(drawn)]


def curve_conditions(orders: Sequence[Order], counts: Sequence[int]) -> dict[frozenset[Head], Condition]:
    """What must be scored for the curves, each set of heads once; without heads the model is itself."""
    conditions: dict[frozenset[Head], Condition] = {}
    for order in orders:
        for count in counts:
            removed = frozenset(order.heads[:count])
            if removed and removed not in conditions:
                conditions[removed] = Condition(f"set {len(conditions)}", tuple(sorted(removed)))
    return conditions


def curves_table(
    scores: xr.Dataset, metric: Metric, orders: Sequence[Order], counts: Sequence[int], task: str
) -> pd.DataFrame:
    """One row per order and step: how many heads are gone, and what is left of the score."""
    conditions = curve_conditions(orders, counts)
    right, lost = on_metric(scores, metric), on_loss(scores)
    place = {removed: number for number, removed in enumerate(conditions)}
    rows = []
    for order in orders:
        for count in counts:
            known = place.get(frozenset(order.heads[:count]))
            rows.append(
                {
                    "task": task,
                    "metric": metric.name,
                    "order": order.name,
                    "run": order.run,
                    "removed": count,
                    "share": count / len(order.heads),
                    "score": right.base if known is None else right.scores[known],
                    "change": 0.0 if known is None else right.scores[known] - right.base,
                    "loss": -lost.base if known is None else -lost.scores[known],
                }
            )
    return pd.DataFrame(rows)


def side_by_side(curves: pd.DataFrame, earlier: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Curves, and below them those of earlier runs, by name; where a task is known already, so it is told."""
    tables = [curves]
    for name, table in earlier.items():
        known = {task for shown in tables for task in shown["task"]}
        tasks = table["task"]
        tables.append(table.assign(task=tasks.where(~tasks.isin(known), tasks + f" ({name})")))
    return pd.concat(tables, ignore_index=True)


def areas_table(curves: pd.DataFrame) -> pd.DataFrame:
    """The mean score over the shares removed (area under the curve), and how many random orders it beats.

    Of random orders, the mean area and the central 95 %. p: the share of them, the order itself among them,
    that reach its area.
    """
    rows = []
    for task, of_task in curves.groupby("task", sort=False):
        areas = {
            key: float(np.trapezoid(curve["score"], curve["share"]))
            for key, curve in of_task.groupby(["order", "run"], sort=False)
        }
        drawn = np.array([area for (name, _), area in areas.items() if name == RANDOM])
        for (name, _), area in areas.items():
            if name != RANDOM:
                rows.append({"task": task, "order": name, "area": area, **_beside_random(area, drawn)})
        if len(drawn):
            low, high = np.quantile(drawn, [0.025, 0.975])
            rows.append({"task": task, "order": RANDOM, "area": drawn.mean(), "low": low, "high": high})
    columns = ["task", "order", "area", "low", "high", "random", "beats", "p"]
    return pd.DataFrame(rows).reindex(columns=columns)


def _beside_random(area: float, drawn: np.ndarray) -> dict[str, float]:
    """An area beside those of random orders, (order,)."""
    if not len(drawn):
        return {}
    below = drawn < area
    return {
        "random": float(drawn.mean()),
        "beats": float(below.mean()),
        "p": float((1 + (~below).sum()) / (1 + len(drawn))),
    }


def removable(order: Sequence[Head], groups: Sequence[tuple[Head, ...]], count: int) -> tuple[Head, ...]:
    """The first of an order that can be taken out for real: in whole groups, at least one left in a layer.

    A group (heads that share a key and value, or the matrices of several layers) goes when its last head's
    turn has come. Groups that would leave a layer empty are passed over; at most `count` heads go.
    """
    place = {head: number for number, head in enumerate(order)}
    ranked = sorted((group for group in groups if all(h in place for h in group)),
                    key=lambda group: max(place[head] for head in group))  # fmt: skip
    left = Counter((head.stack, head.layer) for group in groups for head in group)
    heads: list[Head] = []
    for group in ranked:
        taken = Counter((head.stack, head.layer) for head in group)
        if len(heads) + len(group) <= count and all(left[layer] > taken[layer] for layer in taken):
            heads += group
            left -= taken
    return tuple(sorted(heads))

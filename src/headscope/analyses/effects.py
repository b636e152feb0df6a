"""What scores under ablation say: effects with tests and simultaneous bounds, and a verdict for each.

An effect is the score without some heads minus the score of the whole model: positive is an improvement.
On the loss it is the other way round, as losses are: positive is worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.ablation import Condition
from headscope.analyses.analysis import Setting
from headscope.heads import Head
from headscope.measures.paired import Value, resampled_effects, simultaneous, swap_test, verdicts
from headscope.tasks.metrics import MEAN_LOSS, Metric

ALL_HEADS, ALL_BUT_ONE = "all heads", "all but one"
VERDICTS = ("worse", "better", "harmless", "undecided")


@dataclass(frozen=True)
class Paired:
    """Statistics of each example before (example, statistic) and after (example, condition, statistic)."""

    before: np.ndarray
    after: np.ndarray
    documents: np.ndarray
    value: Value

    @property
    def base(self) -> float:
        """The score of the whole model."""
        return float(self.value(self.before.sum(0)))

    @property
    def scores(self) -> np.ndarray:
        """(condition,)"""
        return self.value(self.after.sum(0))

    def draws(self, seed: int, draws: int = 1000) -> np.ndarray:
        """Effects in resampled documents, (draw, condition)."""
        return resampled_effects(self.before, self.after, self.value, seed, draws, self.documents)


def on_metric(scores: xr.Dataset, metric: Metric, conditions: Sequence[Condition] | None = None) -> Paired:
    """The metric's pairs of some conditions, all by default; `scores` as `Ablation.arrays` gives them."""
    statistics = scores["statistics"].values
    return Paired(
        statistics[:, 0], statistics[:, _places(scores, conditions)], scores["document"].values, metric.value
    )


def on_loss(scores: xr.Dataset, conditions: Sequence[Condition] | None = None) -> Paired:
    """The same for the mean loss, with its sign turned, so that more is better here too."""
    loss = scores["loss"].values
    statistics = np.stack([loss, np.ones_like(loss)], -1)
    return Paired(
        statistics[:, 0],
        statistics[:, _places(scores, conditions)],
        scores["document"].values,
        lambda sums: -MEAN_LOSS.value(sums),
    )


def _places(scores: xr.Dataset, conditions: Sequence[Condition] | None) -> np.ndarray:
    names = scores["condition"].values.tolist()
    if conditions is None:
        return np.arange(1, len(names))
    return np.array([names.index(condition.name) for condition in conditions], dtype=np.intp)


def effects_table(
    scores: xr.Dataset, metric: Metric, conditions: Sequence[Condition], margin: float, seed: int
) -> pd.DataFrame:
    """One row per condition; everything in it is corrected for these conditions and no others."""
    paired, lost = on_metric(scores, metric, conditions), on_loss(scores, conditions)
    bounds = simultaneous(paired.before, paired.after, paired.value, seed, clusters=paired.documents)
    p, adjusted = swap_test(paired.before, paired.after, paired.value, seed, clusters=paired.documents)
    loss_bounds = simultaneous(lost.before, lost.after, lost.value, seed, clusters=lost.documents)
    loss_p, loss_adjusted = swap_test(lost.before, lost.after, lost.value, seed, clusters=lost.documents)
    return pd.DataFrame(
        {
            "score": paired.scores,
            "effect": bounds.effect,
            "low": bounds.low,
            "high": bounds.high,
            "worst": bounds.worst,
            "p": p,
            "p_adjusted": adjusted,
            "verdict": verdicts(bounds, adjusted, margin),
            "loss": -lost.scores,
            "loss_effect": -loss_bounds.effect,
            "loss_low": -loss_bounds.high,
            "loss_high": -loss_bounds.low,
            "loss_p": loss_p,
            "loss_p_adjusted": loss_adjusted,
            # No margin is stated in nats, so nothing is called harmless.
            "loss_verdict": verdicts(loss_bounds, loss_adjusted, -np.inf),
        }
    )


def heads_table(setting: Setting, effects: pd.DataFrame, heads: Sequence[Head]) -> pd.DataFrame:
    """Effects, one row per condition, behind the names of one head for each."""
    names = pd.DataFrame(
        {
            "head": [setting.model.label(head) for head in heads],
            "stack": [head.stack for head in heads],
            "layer": [head.layer for head in heads],
            "index": [head.index for head in heads],
        }
    )
    return pd.concat([names, effects], axis=1)


def as_dataset(table: pd.DataFrame, **attributes: object) -> xr.Dataset:
    """A table with a row per head as labelled arrays over `head`."""
    names = ("head", "stack", "layer", "index")
    values = {name: ("head", table[name].to_numpy()) for name in table.columns if name not in names}
    return xr.Dataset(
        values, coords={name: ("head", table[name].to_numpy()) for name in names}, attrs=attributes
    )


def best_alone(scores: xr.Dataset, metric: Metric, kept: dict[Head, Condition]) -> dict[Head, Condition]:
    """Of each layer the head that does best alone, by the metric, then the loss."""
    conditions = list(kept.values())
    right, lost = on_metric(scores, metric, conditions).scores, on_loss(scores, conditions).scores
    order = np.lexsort((-lost, -right))
    chosen: dict[tuple[str, int], Head] = {}
    heads = list(kept)
    for place in order:
        chosen.setdefault((heads[place].stack, heads[place].layer), heads[place])
    return {head: kept[head] for head in heads if head in chosen.values()}

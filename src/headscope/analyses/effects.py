"""What scores under ablation say: effects with tests and simultaneous bounds, and a verdict for each.

An effect is the score without some heads minus the score of the whole model: positive is an improvement.
On the loss it is the other way round, as losses are: positive is worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.ablation import Condition
from headscope.analyses.analysis import Setting, names_of_heads
from headscope.heads import Head
from headscope.measures.paired import Bounds, Value, resampled_effects, simultaneous, swap_test
from headscope.results.vocabulary import BETTER, HARMLESS, UNDECIDED, WORSE
from headscope.tasks.metrics import MEAN_LOSS, Metric

ALL_HEADS, ALL_BUT_ONE = "all heads", "all but one"


@dataclass(frozen=True)
class Paired:
    """Statistics of each example before (example, statistic) and after (example, condition, statistic).

    limits: the lowest and the highest score that there can be.
    """

    before: np.ndarray
    after: np.ndarray
    documents: np.ndarray
    value: Value
    limits: tuple[float, float]

    @property
    def base(self) -> float:
        """The score of the whole model."""
        return float(self.value(self.before.sum(0)))

    @property
    def scores(self) -> np.ndarray:
        """(condition,)"""
        return self.value(self.after.sum(0))

    def tested(self, seed: int) -> tuple[Bounds, tuple[np.ndarray, np.ndarray]]:
        """Simultaneous bounds of the effects; and p, of each alone and adjusted for all, (condition,)."""
        pairs = self.before, self.after, self.value, seed
        bounds = simultaneous(*pairs, clusters=self.documents)
        least, most = (limit - self.base for limit in self.limits)
        possible = replace(bounds, low=np.maximum(bounds.low, least), high=np.minimum(bounds.high, most))
        return possible, swap_test(*pairs, clusters=self.documents)

    def draws(self, seed: int, draws: int = 1000) -> np.ndarray:
        """Effects in resampled documents, (draw, condition)."""
        return resampled_effects(self.before, self.after, self.value, seed, draws, self.documents)


def on_metric(scores: xr.Dataset, metric: Metric, conditions: Sequence[Condition] | None = None) -> Paired:
    """The metric's pairs of some conditions, all by default; `scores` as `Ablation.arrays` gives them."""
    return _paired(scores, scores["statistics"].values, metric.value, (0.0, 1.0), conditions)


def on_loss(scores: xr.Dataset, conditions: Sequence[Condition] | None = None) -> Paired:
    """The same for the mean loss, with its sign turned, so that more is better here too."""
    loss = scores["loss"].values
    statistics = np.stack([loss, np.ones_like(loss)], -1)
    return _paired(scores, statistics, lambda sums: -MEAN_LOSS.value(sums), (-np.inf, 0.0), conditions)


def _paired(
    scores: xr.Dataset,
    statistics: np.ndarray,
    value: Value,
    limits: tuple[float, float],
    conditions: Sequence[Condition] | None,
) -> Paired:
    names = scores["condition"].values.tolist()
    places = [names.index(condition.name) for condition in conditions or ()]
    after = np.arange(1, len(names)) if conditions is None else np.array(places, dtype=np.intp)
    return Paired(statistics[:, 0], statistics[:, after], scores["document"].values, value, limits)


def effects_table(
    scores: xr.Dataset, metric: Metric, conditions: Sequence[Condition], margin: float, seed: int
) -> pd.DataFrame:
    """One row per condition; everything in it is corrected for these conditions and no others."""
    paired, lost = on_metric(scores, metric, conditions), on_loss(scores, conditions)
    bounds, (p, adjusted) = paired.tested(seed)
    loss_bounds, (loss_p, loss_adjusted) = lost.tested(seed)
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


def verdicts(bounds: Bounds, p_adjusted: np.ndarray, margin: float, alpha: float = 0.05) -> np.ndarray:
    """Say of each condition whether it is worse, better, harmless or undecided: (condition,).

    Harmless: no significant effect, and a loss of `margin` or more is excluded. Not significant alone is
    undecided.

    >>> bounds = Bounds(*np.array([[-0.2, 0.1, 0.0, 0.0]] * 4 + [[-0.3, 0.0, -0.01, -0.1]]))
    >>> verdicts(bounds, np.array([0.01, 0.02, 1, 1]), margin=0.05).tolist()
    ['worse', 'better', 'harmless', 'undecided']
    """
    significant = p_adjusted <= alpha
    cases = [significant & (bounds.effect < 0), significant & (bounds.effect > 0), bounds.worst > -margin]
    return np.select(cases, [WORSE, BETTER, HARMLESS], UNDECIDED)


def heads_table(setting: Setting, effects: pd.DataFrame, heads: Sequence[Head]) -> pd.DataFrame:
    """Effects, one row per condition, behind the names of one head for each."""
    return pd.concat([pd.DataFrame(names_of_heads(setting.model, heads)), effects], axis=1)


def as_dataset(table: pd.DataFrame, **attributes: object) -> xr.Dataset:
    """A table with a row per head as labelled arrays over `head`."""
    columns = {name: ("head", table[name].to_numpy()) for name in table.columns}
    coordinates = {name: columns.pop(name) for name in ("head", "stack", "layer", "index")}
    return xr.Dataset(columns, coordinates, attributes)


def best_alone(scores: xr.Dataset, metric: Metric, kept: dict[Head, Condition]) -> dict[Head, Condition]:
    """Of each layer the head that does best alone, by the metric, then the loss."""
    conditions = list(kept.values())
    right, lost = on_metric(scores, metric, conditions).scores, on_loss(scores, conditions).scores
    heads = list(kept)
    best: dict[tuple[str, int], Head] = {}
    for head in (heads[place] for place in np.lexsort((-lost, -right))):
        best.setdefault((head.stack, head.layer), head)
    return {head: kept[head] for head in heads if head in best.values()}

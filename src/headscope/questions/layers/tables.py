"""Tables of what probes gave: scores by layer, where a task is solved, baselines beside it, seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headscope.measures.layers import (
    bits_from_even,
    center_of_gravity,
    differences,
    expected_layer,
    micro_f1,
)
from headscope.measures.statistics import percentiles, resampled
from headscope.questions.layers.outcomes import Outcome

LEAST = 0.01
"""Where all layers together gain less than this, or not surely anything, no expected layer is told."""

UNSURE = 0.05
"""How often at most some task lies above a baseline by chance."""

CONSTANT, EMBEDDINGS = "most frequent label", "embeddings alone"
TWIN, CONTROL = "random twin", "control task"


@dataclass(frozen=True)
class Solved:
    """The outcomes of one task: of each seed, and of each random twin."""

    task: str
    outcomes: Sequence[Outcome]
    twins: Sequence[Outcome]
    seed: int

    @property
    def counts(self) -> np.ndarray:
        """(seed, block, probe, 3)."""
        return np.stack([outcome.counts for outcome in self.outcomes]).swapaxes(1, 2)

    @property
    def scores(self) -> np.ndarray:
        """(probe,), of the counts of all seeds together."""
        return micro_f1(self.counts.mean(0).sum(0))

    @property
    def each(self) -> np.ndarray:
        """(seed, probe)."""
        return micro_f1(self.counts.sum(1))

    @property
    def weights(self) -> np.ndarray:
        """With which the probe of all layers mixes them, (seed, layer)."""
        return np.stack([outcome.weights[-1] for outcome in self.outcomes])

    def drawn(self, counts: np.ndarray | None = None) -> np.ndarray:
        """Scores with documents and seeds drawn again, (draw, ...)."""
        return micro_f1(resampled(self.counts if counts is None else counts, self.seed))


def solved_of(outcomes: Sequence[Outcome], twins: Sequence[Outcome], seed: int) -> list[Solved]:
    """The outcomes of each task, in the order of the tasks."""
    return [
        Solved(
            task,
            [outcome for outcome in outcomes if outcome.task == task],
            [outcome for outcome in twins if outcome.task == task],
            seed,
        )
        for task in dict.fromkeys(outcome.task for outcome in outcomes)
    ]


def layers_table(several: Sequence[Solved]) -> pd.DataFrame:
    """One row per task and layer."""
    return pd.concat([_layers(solved) for solved in several], ignore_index=True)


def _layers(solved: Solved) -> pd.DataFrame:
    drawn, scores = solved.drawn(), solved.scores
    low, high = percentiles(drawn)
    gain_low, gain_high = percentiles(differences(drawn))
    return pd.DataFrame(
        {
            "task": solved.task,
            "layer": np.arange(len(scores)),
            "score": scores,
            "low": low,
            "high": high,
            "spread": _spread(solved.each),
            "gain": [np.nan, *differences(scores)],
            "gain_low": [np.nan, *gain_low],
            "gain_high": [np.nan, *gain_high],
            "weight": solved.weights.mean(0),
            "weight_spread": _spread(solved.weights),
            "twin": _twin_scores(solved),
        }
    )


def _twin_scores(solved: Solved) -> np.ndarray:
    if not solved.twins:
        return np.full(len(solved.scores), np.nan)
    return micro_f1(np.mean([twin.counts for twin in solved.twins], axis=0).sum(1))


def tasks_table(several: Sequence[Solved], labels: dict[str, int]) -> pd.DataFrame:
    """One row per task, those that are solved lowest first."""
    table = pd.DataFrame([_task(solved, labels[solved.task]) for solved in several])
    return table.sort_values(["expected", "gravity"], kind="stable", ignore_index=True)


def _task(solved: Solved, labels: int) -> dict[str, object]:
    drawn, scores, weights = solved.drawn(), solved.scores, solved.weights
    gained = float(scores[-1] - scores[0])
    gained_low, gained_high = map(float, percentiles(drawn[:, -1] - drawn[:, 0]))
    why = why_not(gained, gained_low, gained_high)
    told = {"expected": np.nan, "low": np.nan, "high": np.nan, "spread": np.nan, "clipped": np.nan}
    if not why:
        low, high = map(float, percentiles(expected_layer(drawn)))
        told = {
            "expected": float(expected_layer(scores)),
            "low": low,
            "high": high,
            "spread": float(_spread(expected_layer(solved.each))),
            "clipped": float(expected_layer(scores, clipped=True)),
        }
    low, high = map(float, percentiles(drawn[:, -1]))
    gravity = center_of_gravity(weights)
    return {
        "task": solved.task,
        "labels": labels,
        "score": float(scores[-1]),
        "score_low": low,
        "score_high": high,
        "best_layer": int(scores.argmax()),
        "gained": gained,
        "gained_low": gained_low,
        "gained_high": gained_high,
        **told,
        "why": why,
        "gravity": float(gravity.mean()),
        "gravity_spread": float(_spread(gravity)),
        "bits": float(bits_from_even(weights).mean()),
        "seeds": len(weights),
    }


def why_not(gained: float, low: float, high: float) -> str:
    """Why no expected layer is told, "" where it is; low, high: the interval of what is gained.

    >>> why_not(0.08, 0.07, 0.09), why_not(0.004, -0.01, 0.02)[:28]
    ('', 'all layers together gain 0.4')
    >>> why_not(0.08, np.nan, np.nan)[:17]
    'too few documents'
    """
    if np.isnan(low):
        return "too few documents for an interval of what all layers together gain over the embeddings"
    if gained >= LEAST and low > 0:
        return ""
    return (
        f"all layers together gain {100 * gained:.1f} points ({100 * low:.1f} to {100 * high:.1f}) over the "
        "embeddings, too little to say where: the mean layer divides by it"
    )


def baselines_table(several: Sequence[Solved]) -> pd.DataFrame:
    """One row per task and what the probe of all layers is held against."""
    rows = []
    level = 1 - UNSURE / len(several)  # of all tasks together
    for solved in several:
        counts = solved.counts  # (seed, block, probe, 3)
        own = counts[:, :, -1]
        for beside, other in _beside(solved):
            # Both are drawn with the same documents and seeds.
            both = solved.drawn(np.stack([own, np.broadcast_to(other, own.shape)], 2))
            above = both[:, 0] - both[:, 1]
            low, high = map(float, percentiles(above))
            score, held = (float(micro_f1(sums.mean(0).sum(0))) for sums in (own, other))
            rows.append(
                {
                    "task": solved.task,
                    "beside": beside,
                    "score": score,
                    "beside_score": held,
                    "above": score - held,
                    "low": low,
                    "high": high,
                    "sure": bool(percentiles(above, level)[0] > 0),
                }
            )
    return pd.DataFrame(rows)


def _beside(solved: Solved) -> list[tuple[str, np.ndarray]]:
    """What the probe of all layers is held against: counts (seed, block, 3), or (1, block, 3)."""
    beside = [
        (CONSTANT, solved.outcomes[0].constant[None]),
        (EMBEDDINGS, solved.counts[:, :, 0]),
    ]
    if solved.twins:
        beside.append((TWIN, np.mean([twin.counts[-1] for twin in solved.twins], axis=0)[None]))
    if all(outcome.control.size for outcome in solved.outcomes):
        beside.append((CONTROL, np.stack([outcome.control[-1] for outcome in solved.outcomes])))
    return beside


def seeds_table(several: Sequence[Solved]) -> pd.DataFrame:
    """One row per task and seed."""
    rows = []
    for solved in several:
        pairs = zip(solved.outcomes, solved.each, strict=True)
        for outcome, scores in pairs:
            weights = outcome.weights[-1]
            enough = scores[-1] - scores[0] >= LEAST  # the mean layer divides by it
            rows.append(
                {
                    "task": solved.task,
                    "seed": outcome.seed,
                    "score": float(scores[-1]),
                    "expected": float(expected_layer(scores)) if enough else np.nan,
                    "clipped": float(expected_layer(scores, clipped=True)) if enough else np.nan,
                    "gravity": float(center_of_gravity(weights)),
                    "bits": float(bits_from_even(weights)),
                }
            )
    return pd.DataFrame(rows)


def _spread(values: np.ndarray) -> np.ndarray:
    """Standard deviation over the first axis; NaN of one."""
    return values.std(0, ddof=1) if len(values) > 1 else np.full(values.shape[1:], np.nan)

"""Orders in which heads are removed, decided on training data alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.analyses.ablation import Ablation, single_heads
from headscope.analyses.effects import on_loss
from headscope.analyses.importance import Importance, layer_normalised
from headscope.engine.scoring import Scoring
from headscope.heads import Head
from headscope.questions.prune.curves import Order, by_score
from headscope.questions.prune.gates import Lessons, learn_gates
from headscope.questions.prune.options import EFFECT, GATES, IMPORTANCE, RECOMPUTED, REVERSED
from headscope.tasks.checkpoints import Memory
from headscope.text import Corpus


@dataclass(frozen=True)
class Deciding:
    """How orders are decided: on which score, over which data."""

    scoring: Scoring
    train: Corpus
    score: str
    normalised: bool
    lessons: Lessons

    def orders(self, counts: list[int]) -> tuple[list[Order], list[str]]:
        """All orders but random ones, and what a reader must know."""
        heads = self.scoring.setting.chosen()
        task = self.scoring.task
        singles = single_heads(self.scoring.setting)
        analyses = Importance(task), Ablation(task, singles)
        (importance, scores), notes = self.scoring.run("heads", self.train, *analyses)
        once = by_score(heads, self._scores(importance))
        # A head without which the loss is lowest goes first; the loss tells more heads apart than the metric.
        effect = by_score(heads, -on_loss(scores, singles).scores)
        orders = [
            Order(IMPORTANCE, once),
            Order(RECOMPUTED, self._recomputed(once, counts)),
            Order(EFFECT, effect),
        ]
        if self.lessons.steps:
            orders.append(Order(GATES, by_score(heads, self._gates(heads))))
        return [*orders, Order(REVERSED, once[::-1])], notes

    def _scores(self, importance: xr.Dataset) -> np.ndarray:
        setting = self.scoring.setting
        scores: np.ndarray = importance[self.score].values
        layers = [(str(head.stack), head.layer) for head in setting.chosen()]
        return layer_normalised(scores, layers) if self.normalised else scores

    def _recomputed(self, once: tuple[Head, ...], counts: list[int]) -> tuple[Head, ...]:
        """Each step's heads by their importance when those of the steps before are gone."""
        heads, task = self.scoring.setting.chosen(), self.scoring.task
        removed = list(once[: counts[1]]) if len(counts) > 1 else []
        for step, count in enumerate(counts[2:], start=1):
            (importance,), _ = self.scoring.run(f"step-{step}", self.train, Importance(task, removed))
            order = by_score(heads, self._scores(importance))
            left = [head for head in order if head not in removed]
            removed += left[: count - len(removed)]
        return tuple(removed)

    def _gates(self, heads: list[Head]) -> np.ndarray:
        """The log of each head's gate, learned once and kept."""
        scoring = self.scoring
        store = Memory() if scoring.store is None else scoring.store.part(f"{scoring.verb}/gates")
        segments = scoring.plan().segments(self.train)
        learned = learn_gates(scoring.setting, scoring.task, segments, self.lessons, store, scoring.progress)
        return np.array([learned[head] for head in heads])

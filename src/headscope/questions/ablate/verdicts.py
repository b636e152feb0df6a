"""What removing heads did: effects and verdicts of every condition, and importance beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import torch
import xarray as xr

from headscope.analyses.ablation import Ablation, Condition, all_but_one, single_heads, whole_layers
from headscope.analyses.effects import (
    ALL_BUT_ONE,
    ALL_HEADS,
    as_dataset,
    best_alone,
    effects_table,
    heads_table,
    on_loss,
    on_metric,
)
from headscope.analyses.importance import Importance
from headscope.analyses.outputs import MeanOutputs, vectors_of
from headscope.engine.scoring import Scoring
from headscope.heads import Head
from headscope.questions.ablate.agreement import (
    PUBLISHED,
    agreement_table,
    effects_agreement,
    importance_draws,
    importance_table,
)
from headscope.results.reading import counted
from headscope.results.result import Result
from headscope.results.vocabulary import VERDICTS

if TYPE_CHECKING:
    from headscope.questions.ablate.answer import Question

_DATA, _TRAIN, _KEPT, _OTHER, _MEANS = "data", "train", "kept", "other", "means"


class _Kept(NamedTuple):
    """Of each layer the head that stayed alone, and the scores with all others of its layer removed."""

    heads: list[Head]
    scores: xr.Dataset


class Verdicts:
    """The tables of the answer of `headscope.ablate`, each over its own data."""

    def __init__(self, question: Question, scoring: Scoring) -> None:
        self.question, self.scoring, self.setting = question, scoring, scoring.setting
        self.options, self.task = question.options, question.task
        self.singles = single_heads(self.setting)
        self.whole = whole_layers(self.setting)
        self.kept = all_but_one(self.setting)
        self.notes = list(question.model.notes)
        self.means: dict[Head, torch.Tensor] | None = None

    def result(self) -> Result:
        if self.options.by == "mean":
            typical = self.question.train or self.question.corpus
            (outputs,), _ = self.scoring.run(_MEANS, typical, MeanOutputs())
            self.means = vectors_of(outputs)
        scores, importance, kept = self._scores()
        heads = self._effects(scores, self.singles)
        table = heads_table(self.setting, heads, self.setting.chosen())
        metric = on_metric(scores, self.task.metric)
        dataset = as_dataset(
            table,
            metric=self.task.metric.name,
            base=metric.base,
            margin=self.options.margin,
            data=self.question.corpus.name,
        )
        tables = {
            "ablation": table,
            "ablation_layers": self._layers(scores, kept),
            "ablation_summary": self._summary(scores, table),
        }
        tables |= self._importance(scores, importance, table) | self._other(scores, table)
        notes = [*self.notes, *self._about()]
        return Result(self.scoring.verb, {"ablation": dataset}, tables, notes=notes)

    def _scores(self) -> tuple[xr.Dataset, xr.Dataset | None, _Kept | None]:
        """Scores on the data; importance, if asked; and what was kept of each layer, if it was chosen."""
        analyses: list[Any] = [Importance(self.task)] if self.options.gradients else []
        ablation = self._ablation([*self.singles, *self.whole])
        question = self.question
        if question.train is None:
            (scores, *importance), notes = self.scoring.run(_DATA, question.corpus, ablation, *analyses)
            self.notes += notes
            return scores, importance[0] if importance else None, None
        (scores,), notes = self.scoring.run(_DATA, question.corpus, ablation)
        choosing = self._ablation(list(self.kept.values()))
        (trained, *importance), more = self.scoring.run(_TRAIN, question.train, choosing, *analyses)
        best = best_alone(trained, self.task.metric, self.kept)
        (alone,), _ = self.scoring.run(_KEPT, question.corpus, self._ablation(list(best.values())))
        self.notes += [*notes, *more]
        return scores, importance[0] if importance else None, _Kept(list(best), alone)

    def _ablation(self, conditions: list[Condition]) -> Ablation:
        return Ablation(self.task, conditions, self.means)

    def _effects(self, scores: xr.Dataset, conditions: list[Condition]) -> pd.DataFrame:
        return effects_table(scores, self.task.metric, conditions, self.options.margin, self.options.seed)

    def _layers(self, scores: xr.Dataset, kept: _Kept | None) -> pd.DataFrame:
        """Whole layers, then all but the best head of each."""
        places = [(condition.heads[0].stack, condition.heads[0].layer) for condition in self.whole]
        tables = [_named(places, ALL_HEADS, [""] * len(places), self._effects(scores, self.whole))]
        if kept is not None:
            names = [self.question.model.label(head) for head in kept.heads]
            effects = self._effects(kept.scores, [self.kept[head] for head in kept.heads])
            tables.append(
                _named([(head.stack, head.layer) for head in kept.heads], ALL_BUT_ONE, names, effects)
            )
        return pd.concat(tables, ignore_index=True)

    def _summary(self, scores: xr.Dataset, table: pd.DataFrame) -> pd.DataFrame:
        """How the whole model does, and how many heads have each verdict."""
        metric, loss = on_metric(scores, self.task.metric), on_loss(scores)
        counts = {name: int((table["verdict"] == name).sum()) for name in VERDICTS}
        return pd.DataFrame(
            [
                {
                    "data": self.question.corpus.name,
                    "task": self.task.name,
                    "metric": self.task.metric.name,
                    "examples": scores.sizes["example"],
                    "score": metric.base,
                    "loss": -loss.base,
                    "heads": len(table),
                    **counts,
                }
            ]
        )

    def _importance(
        self, scores: xr.Dataset, importance: xr.Dataset | None, table: pd.DataFrame
    ) -> dict[str, pd.DataFrame]:
        """Importance beside true effects, and how well the two orders agree."""
        if importance is None:
            return {}
        scored = importance_table(importance).assign(effect=table["effect"], loss_effect=table["loss_effect"])
        seed = self.options.seed
        metric, loss = on_metric(scores, self.task.metric, self.singles), on_loss(scores, self.singles)
        harm = {"loss": table["loss_effect"].to_numpy(), "metric": -table["effect"].to_numpy()}
        drawn = {"loss": -loss.draws(seed), "metric": -metric.draws(seed)}
        agreement = agreement_table(scored, importance_draws(importance, seed), harm, drawn)
        return {"importance": scored, "importance_agreement": agreement}

    def _other(self, scores: xr.Dataset, table: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """The same heads on another data set."""
        other, metric = self.question.other, self.task.metric
        if other is None:
            return {}
        (second,), notes = self.scoring.run(_OTHER, other, self._ablation(self.singles))
        self.notes += notes
        effects = self._effects(second, self.singles)
        both = table[["head", "stack", "layer", "index", "effect", "verdict"]].assign(
            other_effect=effects["effect"], other_verdict=effects["verdict"]
        )
        sides = [on_metric(data, metric, self.singles) for data in (scores, second)]
        drawn = [side.draws(self.options.seed + place) for place, side in enumerate(sides)]
        names = self.question.corpus.name, other.name
        values: list[np.ndarray] = [both["effect"].to_numpy(), both["other_effect"].to_numpy()]
        return {"ablation_both": both, "ablation_agreement": effects_agreement(values, drawn, names)}

    def _about(self) -> list[str]:
        """What the numbers are, for the reader of a run."""
        options, question = self.options, self.question
        where = question.corpus.name if question.train is None else question.train.name
        removed = "zero" if options.by == "zero" else f"its mean over {where}"
        margin = counted(100 * options.margin, "point")
        notes = [
            f"a removed head hands on {removed}; effects are without it minus with it: positive is better "
            "on the metric, worse on the loss",
            "p_adjusted: before and after exchanged in examples at random, corrected for all heads by the "
            "largest effect; low and high hold for all heads at once",
            f"worse, better: p_adjusted up to 0.05. harmless: a loss of {margin} or more is excluded for all "
            "heads at once (worst). undecided: neither; more examples would tell",
        ]
        if question.train is None:
            notes.append("all but one: give --train, on which the head to keep is chosen")
        else:
            notes.append(f"all but one: the head that stays is the best on {question.train.name}")
        if options.gradients:
            notes.append(
                f"importance on {where}: magnitude of the gradient for a gate on the head, by example "
                "(the paper) or by token (the published code); confidence: mean largest weight on an "
                "ordinary token"
            )
        if options.gradients or question.other is not None:
            notes.append(
                "correlations are of effects as measured: the fewer examples, the nearer they and their "
                "intervals are to 0"
            )
        if question.other is not None:
            known = ", ".join(f"{value} ({name})" for name, value in PUBLISHED.items())
            notes.append(f"published correlations of effects, Michel et al. 2019: {known}")
        return notes


def _named(
    places: list[tuple[Any, int]], removed: str, kept: list[str], effects: pd.DataFrame
) -> pd.DataFrame:
    names = pd.DataFrame(
        {
            "stack": [stack for stack, _ in places],
            "layer": [layer for _, layer in places],
            "removed": removed,
            "kept": kept,
        }
    )
    return pd.concat([names, effects], axis=1)

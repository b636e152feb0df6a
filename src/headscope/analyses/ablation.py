"""What a model scores without some of its heads, example by example.

Michel et al. 2019, section 3: a head is removed by setting its output to zero, or here also to its mean
over a corpus. Every example is scored as it is and under each condition, so that all tests are paired. The
layers below the first removed head are computed once for a batch and replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Ablate, Listener, attach
from headscope.attention.replay import Replay
from headscope.heads import Head
from headscope.models import Sides
from headscope.models.forecast import is_shortage
from headscope.tallies import Rows, Tally
from headscope.tasks.task import Scores, Task

Means = Mapping[Head, torch.Tensor]


@dataclass(frozen=True)
class Condition:
    """Heads that are removed together."""

    name: str
    heads: tuple[Head, ...]


class Ablation:
    """The analysis, for a task; `means` are put in place of what is removed, else zero."""

    name = "ablation"

    def __init__(
        self, task: Task, conditions: Sequence[Condition], means: Means | None = None, replay: bool = True
    ) -> None:
        self.task, self.conditions, self.means = task, conditions, means
        self.replay = replay and task.replayable

    def work(self, setting: Setting) -> AblationWork:
        return AblationWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `example`: `document`; with `condition`, the untouched model first: `loss`, `statistics`."""
        tally = tallies["scores"]
        assert isinstance(tally, Rows)
        scores = tally.result()
        return xr.Dataset(
            {
                "loss": (("example", "condition"), scores[..., 0]),
                "statistics": (("example", "condition", "statistic"), scores[..., 1:]),
                "document": ("example", tally.documents()),
            },
            coords={
                "condition": ["", *(condition.name for condition in self.conditions)],
                "statistic": list(self.task.metric.statistics),
            },
        )


class AblationWork:
    """Scores each batch under every condition."""

    def __init__(self, setting: Setting, analysis: Ablation) -> None:
        self.model, self.analysis = setting.model, analysis
        values = 1 + len(analysis.task.metric.statistics)
        self.tally = Rows((1 + len(analysis.conditions), values))
        self.tallies: Tallies = {"scores": self.tally}
        self._replay = Replay(self.model.module, self.model.sites) if analysis.replay else None
        self._tried = False

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self.sides = self.analysis.task.prepare(sides)

    def end(self, documents: Sequence[str]) -> None:
        with torch.no_grad(), self.model.attached(whole=True) as module:
            scores = [self._untouched(module)]
            scores += [self._without(module, condition) for condition in self.analysis.conditions]
        if self._replay is not None:
            self._replay.forget()
        self.tally.update(documents, np.stack([_rows(scored) for scored in scores], axis=1))

    def _untouched(self, module: Any) -> Scores:
        """Score the model as it is, and record its layers, if handing them out again gives the same."""
        task, replay = self.analysis.task, self._replay
        if replay is None:
            return task.score(module, self.sides)
        with replay.recording():
            base = task.score(module, self.sides)
        if not self._tried and not self._replays(module, replay, base):
            self._replay = None
        self._tried = True
        return base

    def _replays(self, module: Any, replay: Replay, base: Scores) -> bool:
        """Whether a family's layers hand on nothing but what they return, tried on the last layer."""
        last = next(iter(self.model.sites.sites[-1]))
        try:
            with replay.below([last]):
                again = self.analysis.task.score(module, self.sides)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
            if is_shortage(error):
                raise
            return False
        return torch.equal(base.loss, again.loss) and np.array_equal(base.statistics, again.statistics)

    def _without(self, module: Any, condition: Condition) -> Scores:
        edit = Ablate(condition.heads, self.analysis.means)
        replayed = nullcontext() if self._replay is None else self._replay.below(condition.heads)
        with replayed, attach(module, self.model.sites, edits=[edit]):
            return self.analysis.task.score(module, self.sides)


def _rows(scores: Scores) -> np.ndarray:
    """(batch, 1 + statistic): the loss first."""
    loss = scores.loss.detach().double().cpu().numpy()
    return np.concatenate([loss[:, None], scores.statistics], axis=1)


def single_heads(setting: Setting) -> list[Condition]:
    """Each head in question alone."""
    return [Condition(setting.model.label(head), (head,)) for head in setting.chosen()]


def whole_layers(setting: Setting) -> list[Condition]:
    """All heads of a layer together, layer by layer."""
    return [Condition(f"{site.stack} layer {site.layer}", tuple(site)) for site in setting.sites()]


def all_but_one(setting: Setting) -> dict[Head, Condition]:
    """For each head in question, all others of its layer, where there are others: what it does alone."""
    alone = {}
    for head in setting.chosen():
        (site,) = setting.model.sites_of(head.stack, [head.layer])
        others = tuple(other for other in site if other != head)
        if others:
            alone[head] = Condition(f"all but {setting.model.label(head)}", others)
    return alone

"""Fine-tuning: a module with its task head, trained over shuffled batches of labelled examples."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import torch

from headscope.models import Sides
from headscope.models.sides import shifted_right
from headscope.tasks.apart import Apart
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.course import Course, Descent
from headscope.tasks.examples import Examples
from headscope.tasks.journey import Judged, Mark
from headscope.tasks.learner import Learner
from headscope.tasks.predictions import training_losses
from headscope.tasks.task import Task
from headscope.tasks.training import Kept, Training
from headscope.text.batches import Progress

_MODEL = "model"


@dataclass(frozen=True)
class Evaluation:
    """A data set scored: mean loss per example, score, and (example, statistic) of the metric."""

    loss: float
    score: float
    statistics: np.ndarray


def evaluate(
    module: Any, task: Task, prepared: Sequence[Sides], progress: Progress | None = None
) -> Evaluation:
    """Score prepared batches with the module as it is, without dropout."""
    losses, statistics = [], []
    module.eval()
    for sides in prepared:
        with torch.no_grad():
            scores = task.score(module, sides)
        losses.append(scores.loss.cpu().double().numpy())
        statistics.append(scores.statistics)
        if progress is not None:
            progress(len(sides.segments), sum(len(segment.words) for segment in sides.segments))
    every = np.concatenate(statistics)
    return Evaluation(float(np.concatenate(losses).mean()), float(task.metric.value(every.sum(0))), every)


@dataclass
class FineTuning:
    """A module with its task head, what it learns from, and what decides which of its weights are kept.

    kept: is told of every evaluation, see `tasks.training`. apart: a penalty on heads that look alike.
    smoothing: see `tasks.predictions.training_losses`.
    """

    module: Any
    task: Task
    examples: Examples
    dev: Sequence[Sides]
    course: Course
    descent: Descent
    padding: int = 0
    kept: Kept | None = None
    apart: Apart | None = None
    smoothing: float = 0.0

    def run(self, store: Checkpoints, progress: Progress | None = None) -> list[Mark]:
        """Train, or go on from what was kept; the module ends with its best weights."""
        learner = Learner(dict(self.module.named_parameters()), self._losses, self.descent)
        training = Training(
            {_MODEL: learner},
            self._batches,
            self._size,
            self.course,
            self._judge,
            steps=ceil(len(self.examples) / self.course.batch_size),
            remedy=f"train at a lower rate: --rate {self.descent.rate / 3:.1g}",
            kept=self.kept,
        )
        journeys = training.run(store, progress)
        self.module.eval()
        return journeys[_MODEL].marks

    def _batches(self, epoch: int) -> list[np.ndarray]:
        return self.examples.batches(self.course.batch_size, self.course.seed, epoch)

    def _size(self, chosen: np.ndarray) -> tuple[int, int]:
        return len(chosen), int(self.examples.words[chosen].sum())

    def _losses(self, chosen: np.ndarray, step: int) -> torch.Tensor:
        """Losses (example,) of the examples with these numbers, with dropout."""
        self.module.train()
        device = next(self.module.parameters()).device
        inputs, labels = self.examples.padded(chosen, self.padding)
        if self.examples.label_sizes is not None and labels.ndim > 1:  # of a text that is written
            inputs["decoder_input_ids"] = shifted_right(labels, self.module.config)
        inputs = {name: tensor.to(device) for name, tensor in inputs.items()}
        with nullcontext() if self.apart is None else self.apart.listening():
            losses = training_losses(self.module, inputs, labels.to(device), self.smoothing)
        return losses if self.apart is None else losses + self.apart.penalties()

    def _judge(self, names: Sequence[str], progress: Progress) -> dict[str, Judged]:
        evaluation = evaluate(self.module, self.task, self.dev, progress)
        return {_MODEL: Judged(evaluation.score, evaluation.loss)}

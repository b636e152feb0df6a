"""Fine-tuning: AdamW over shuffled batches, the best weights chosen on other examples.

What is drawn at random depends on the seed and the number of the epoch or step alone. So a training that
was stopped goes on from its last evaluation and ends in the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import Any

import numpy as np
import torch

from headscope.errors import ModelError
from headscope.models import Sides
from headscope.tasks.checkpoints import Journey, Mark, Store, best_weights, keep, taken_up
from headscope.tasks.examples import Examples
from headscope.tasks.learner import Learner
from headscope.tasks.task import Task

Told = Callable[[int, int], None]
"""Told of every batch: how many examples and words it held."""


@dataclass(frozen=True)
class Course:
    """How to train: epochs, the highest rate, and how often to look at the other examples in an epoch.

    patience: stop after so many evaluations without a better one; None never stops early.
    """

    epochs: int = 3
    rate: float = 1e-4
    batch_size: int = 32
    evaluations: int = 4
    patience: int | None = None
    seed: int = 0

    def steps(self, examples: int) -> int:
        """Steps of an epoch."""
        return ceil(examples / self.batch_size)

    def marks(self, examples: int) -> frozenset[int]:
        """After which steps of an epoch to evaluate, evenly, the last one always.

        >>> sorted(Course(batch_size=1, evaluations=4).marks(10))
        [3, 5, 8, 10]
        """
        steps = self.steps(examples)
        return frozenset(ceil(part * steps / self.evaluations) for part in range(1, self.evaluations + 1))


@dataclass(frozen=True)
class Evaluation:
    """A data set scored: mean loss per example, score, and (example, statistic) of the metric."""

    loss: float
    score: float
    statistics: np.ndarray


def evaluate(module: Any, task: Task, prepared: Sequence[Sides], told: Told | None = None) -> Evaluation:
    """Score prepared batches with the module as it is, without dropout."""
    losses, statistics = [], []
    module.eval()
    for sides in prepared:
        with torch.no_grad():
            scores = task.score(module, sides)
        losses.append(scores.loss.cpu().double().numpy())
        statistics.append(scores.statistics)
        if told is not None:
            told(len(sides.segments), words_of([sides]))
    every = np.concatenate(statistics)
    return Evaluation(float(np.concatenate(losses).mean()), float(task.metric.value(every.sum(0))), every)


def words_of(prepared: Sequence[Sides]) -> int:
    """How many words prepared batches hold."""
    return sum(len(segment.words) for sides in prepared for segment in sides.segments)


@dataclass
class Training:
    """A module with its task head, what it learns from, and what decides which of its weights are kept."""

    module: Any
    task: Task
    examples: Examples
    dev: Sequence[Sides]
    course: Course
    padding: int = 0

    def run(self, store: Store, told: Told | None = None) -> list[Mark]:
        """Train, or go on with what the store keeps; the module ends with its best weights."""
        course, size = self.course, len(self.examples)
        journey, state = taken_up(store)
        learner = Learner(self.module, course.rate, course.epochs * course.steps(size))
        if state is not None:
            learner.take(state, journey.step)
            self._tell(journey, told)
        with _own_random_numbers(learner.device):
            for batches, first, last in self._stretches(journey):
                if course.patience is not None and journey.misses >= course.patience:
                    break
                self._learn(learner, journey, batches, first, last, store, told)
        learner.put(best_weights(store, journey))
        self.module.eval()
        return journey.marks

    def _tell(self, journey: Journey, told: Told | None) -> None:
        """Tell at once of what was done before."""
        if told is not None:
            examples = len(self.examples) * journey.marks[-1].epoch
            words = float(self.examples.words.sum()) * journey.marks[-1].epoch
            again = len(journey.marks) * words_of(self.dev)
            told(round(examples), round(words) + again)

    def _stretches(self, journey: Journey) -> Iterator[tuple[list[np.ndarray], int, int]]:
        """What is still to be trained: batches between two marks, the step before the first, the last."""
        steps, reached = self.course.steps(len(self.examples)), journey.step
        ends = sorted(self.course.marks(len(self.examples)))
        for epoch in range(reached // steps, self.course.epochs):
            batches = self.examples.batches(self.course.batch_size, self.course.seed, epoch)
            for start, end in zip([0, *ends], ends, strict=False):
                if epoch * steps + end > reached:
                    yield batches[start:end], epoch * steps + start, epoch * steps + end

    def _learn(
        self,
        learner: Learner,
        journey: Journey,
        batches: Sequence[np.ndarray],
        first: int,
        last: int,
        store: Store,
        told: Told | None,
    ) -> None:
        """Train on some batches, evaluate, and keep what was reached."""
        began = monotonic() - journey.seconds
        total = torch.zeros((), device=learner.device)
        self.module.train()
        for step, chosen in enumerate(batches, start=first):
            _draw_from(self.course.seed, step)
            inputs, labels = self.examples.padded(chosen, self.padding)
            total += learner.learn(inputs, labels, step)
            if told is not None:
                told(len(chosen), int(self.examples.words[chosen].sum()))
        seen = float(total) / sum(map(len, batches))
        found = evaluate(self.module, self.task, self.dev, told)
        if not np.isfinite([seen, found.loss]).all():
            raise ModelError(
                f"the loss is no longer a number after step {last}; train at a lower rate: --rate "
                f"{self.course.rate / 3:.1g}"
            )
        journey.marks.append(
            Mark(
                step=last,
                epoch=last / self.course.steps(len(self.examples)),
                seconds=monotonic() - began,
                train_loss=seen,
                dev_loss=found.loss,
                dev_score=found.score,
                rate=learner.rate_at(last - 1),
                best=journey.beaten_by(found.score, found.loss),
            )
        )
        keep(store, journey, learner.state(), learner.names)


@contextmanager
def _own_random_numbers(device: torch.device) -> Iterator[None]:
    """Leave torch's random state to the user as it was."""
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        yield


def _draw_from(seed: int, step: int) -> None:
    """Dropout of a step depends on the seed and the step alone."""
    state = np.random.SeedSequence([seed, step]).generate_state(1, np.uint64)
    torch.manual_seed(int(state[0] >> np.uint64(1)))

"""Fine-tuning: AdamW over shuffled batches, the best weights chosen on other examples.

What is drawn at random depends on the seed and the number of the epoch or step alone. So a training that
was stopped goes on from its last evaluation and ends in the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import Any

import numpy as np
import torch

from headscope.errors import ModelError
from headscope.models import Sides
from headscope.tasks.checkpoints import Checkpoints, Journey, Mark
from headscope.tasks.examples import Examples
from headscope.tasks.learner import Learner
from headscope.tasks.task import Task
from headscope.text.batches import Progress


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
            progress(len(sides.segments), words_of([sides]))
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

    def run(self, checkpoints: Checkpoints, progress: Progress | None = None) -> list[Mark]:
        """Train, or go on from what was kept; the module ends with its best weights."""
        course, size = self.course, len(self.examples)
        journey, state = Journey.taken_up(checkpoints)
        learner = Learner(self.module, course.rate, course.epochs * course.steps(size))
        if state is not None:
            learner.take(state, journey.step)
            self._tell(journey, progress)
        # Torch's random state is left to the user as it was.
        with torch.random.fork_rng([learner.device] if learner.device.type == "cuda" else []):
            for batches in self._stretches(journey.step):
                if course.patience is not None and journey.misses >= course.patience:
                    break
                journey.marks.append(self._learn(learner, journey, batches, progress))
                journey.keep(checkpoints, learner.state(), learner.names)
        learner.put(journey.best_weights(checkpoints))
        self.module.eval()
        return journey.marks

    def _tell(self, journey: Journey, progress: Progress | None) -> None:
        """Tell at once of what was done before."""
        if progress is not None:
            examples = len(self.examples) * journey.marks[-1].epoch
            words = float(self.examples.words.sum()) * journey.marks[-1].epoch
            again = len(journey.marks) * words_of(self.dev)
            progress(round(examples), round(words) + again)

    def _stretches(self, reached: int) -> Iterator[list[np.ndarray]]:
        """What is still to be trained after the step that was reached: the batches between two marks."""
        steps = self.course.steps(len(self.examples))
        ends = sorted(self.course.marks(len(self.examples)))
        for epoch in range(reached // steps, self.course.epochs):
            batches = self.examples.batches(self.course.batch_size, self.course.seed, epoch)
            for start, end in zip([0, *ends], ends, strict=False):
                if epoch * steps + end > reached:
                    yield batches[start:end]

    def _learn(
        self, learner: Learner, journey: Journey, batches: Sequence[np.ndarray], progress: Progress | None
    ) -> Mark:
        """Train on some batches, and evaluate what was reached."""
        last = journey.step + len(batches)
        began = monotonic() - journey.seconds
        total = torch.zeros((), device=learner.device)
        self.module.train()
        for step, chosen in enumerate(batches, start=journey.step):
            _draw_from(self.course.seed, step)
            inputs, labels = self.examples.padded(chosen, self.padding)
            total += learner.learn(inputs, labels, step)
            if progress is not None:
                progress(len(chosen), int(self.examples.words[chosen].sum()))
        train_loss = float(total) / sum(map(len, batches))
        dev = evaluate(self.module, self.task, self.dev, progress)
        if not np.isfinite([train_loss, dev.loss]).all():
            raise ModelError(
                f"the loss is no longer a number after step {last}; train at a lower rate: --rate "
                f"{self.course.rate / 3:.1g}"
            )
        return Mark(
            step=last,
            epoch=last / self.course.steps(len(self.examples)),
            seconds=monotonic() - began,
            train_loss=train_loss,
            dev_loss=dev.loss,
            dev_score=dev.score,
            rate=learner.rate_at(last - 1),
            best=journey.beaten_by(dev.score, dev.loss),
        )


def _draw_from(seed: int, step: int) -> None:
    """Dropout of a step depends on the seed and the step alone."""
    state = np.random.SeedSequence([seed, step]).generate_state(1, np.uint64)
    torch.manual_seed(int(state[0] >> np.uint64(1)))

"""The one training loop: any weights, any losses, any batches; the best weights chosen on other data.

What is drawn at random depends on the seed and the number of the epoch or step alone. So a training that
was stopped goes on from its last point and ends in the same bits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Generic

import numpy as np
import torch

from headscope.errors import ModelError
from headscope.tasks.checkpoints import Checkpoints, Journal
from headscope.tasks.course import Course, Moment
from headscope.tasks.journey import Journey, Judged, Mark
from headscope.tasks.learner import Arrays, Batch, Learner, weights_of
from headscope.text.batches import Progress

Judge = Callable[[Sequence[str], Progress], Mapping[str, Judged]]
"""The names of those that still learn, and whom to tell of progress, to how good each of them is now."""

Kept = Callable[[str, Mark, Arrays], None]
"""Is told of every point of a learner, with its weights, before the point counts: so none is missed, and one
at which training was stopped may be told again, in the same bits."""


class Diverged(ModelError):
    """A loss that is no longer a number: told apart, since other trainings may go on without this one."""


@dataclass
class Training(Generic[Batch]):
    """Learners by name that go over the same batches, each as if it were alone.

    batches: the number of an epoch to its batches, the same ones whenever it is asked. size: examples and
    words of a batch, for progress. judge: without it the last weights are kept. steps: of an epoch; None
    where it is not known, and then only the end of an epoch is a point. remedy: what to do if a loss is no
    longer a number.
    """

    learners: Mapping[str, Learner[Batch]]
    batches: Callable[[int], Iterable[Batch]]
    size: Callable[[Batch], tuple[int, int]]
    course: Course
    judge: Judge | None = None
    steps: int | None = None
    remedy: str = "train at a lower rate"
    kept: Kept | None = None

    def run(self, store: Checkpoints, progress: Progress | None = None) -> dict[str, Journey]:
        """Train, or go on from what the store has; every learner ends with its best weights."""
        journal = Journal(store, self.learners)
        while journal.states:  # which are large, and not kept in memory once they are taken
            name, state = journal.states.popitem()
            self.learners[name].take(state)
        told = _Told(progress, journal.told)
        devices = {learner.device for learner in self.learners.values() if learner.device.type == "cuda"}
        # Torch's random state is left to the user as it was.
        with torch.random.fork_rng(list(devices)):
            for epoch, learning, batches in self._stretches(journal):
                self._learn(journal, epoch, learning, batches, told)
                self._keep(journal, learning, told)
        for name, learner in self.learners.items():
            learner.put(journal.best(name))
        return journal.journeys

    def _stretches(self, journal: Journal) -> Iterator[tuple[int, list[str], Iterator[Batch]]]:
        """What is still to be trained: the epoch, who learns, and the batches up to the next point."""
        lengths = self.course.stretches(self.steps)
        first, behind = divmod(journal.points, len(lengths))
        for epoch in range(first, self.course.epochs):
            if not journal.learning(self.course.patience):
                return
            batches = iter(self.batches(epoch))
            for place, length in enumerate(lengths):
                stretch = islice(batches, length)
                if epoch == first and place < behind:
                    deque(stretch, maxlen=0)  # what was drawn for them must be drawn again
                elif learning := journal.learning(self.course.patience):
                    yield epoch, learning, stretch

    def _learn(
        self, journal: Journal, epoch: int, learning: list[str], batches: Iterator[Batch], told: _Told
    ) -> None:
        """Train on some batches, judge what was reached, and mark it."""
        began, last = monotonic() - journal.seconds, journal.step
        means = {name: _Mean() for name in learning}
        for last, batch in enumerate(batches, start=journal.step + 1):
            for name in learning:
                learner = self.learners[name]
                _draw_from(self.course.seed, last - 1, learner.device)
                means[name].add(learner.learn(batch, self._moment(last - 1, epoch)))
            told(*self.size(batch))
        if last == journal.step:
            raise ValueError(f"epoch {epoch} has fewer batches than it was said to have")
        judged = {} if self.judge is None else self.judge(learning, told)
        for name in learning:
            train_loss, dev = means[name].value(), judged.get(name)
            if not np.isfinite([train_loss, 0.0 if dev is None else dev.loss]).all():
                raise Diverged(f"the loss is no longer a number after step {last}; {self.remedy}")
            mark = Mark(
                step=last,
                epoch=epoch + 1.0 if self.steps is None else last / self.steps,
                seconds=monotonic() - began,
                train_loss=train_loss,
                dev_loss=None if dev is None else dev.loss,
                dev_score=None if dev is None else dev.score,
                rate=self.learners[name].descent.rate_at(self._moment(last - 1, epoch)),
                best=journal.journeys[name].beaten_by(dev),
            )
            journal.journeys[name].marks.append(mark)

    def _moment(self, step: int, epoch: int) -> Moment:
        epochs = self.course.epochs
        return Moment(step, epoch, epochs, None if self.steps is None else epochs * self.steps)

    def _keep(self, journal: Journal, learning: list[str], told: _Told) -> None:
        """Tell of the point that was reached, and write it."""
        states = {name: self.learners[name].state() for name in learning}
        if self.kept is not None:
            for name, state in states.items():
                self.kept(name, journal.journeys[name].marks[-1], weights_of(state))
        journal.keep(states, (told.examples, told.words))


class _Told:
    """Counts what progress is told of; what was told before is told at once."""

    def __init__(self, progress: Progress | None, before: tuple[int, int]) -> None:
        self.examples, self.words = 0, 0
        self._progress = progress
        if any(before):
            self(*before)

    def __call__(self, examples: int, words: int) -> None:
        self.examples += examples
        self.words += words
        if self._progress is not None:
            self._progress(examples, words)


class _Mean:
    """Over the examples of all batches, summed where the losses are."""

    def __init__(self) -> None:
        self._sum: torch.Tensor | float = 0.0
        self._count = 0

    def add(self, losses: torch.Tensor) -> None:
        self._sum = self._sum + losses.sum()
        self._count += losses.numel()

    def value(self) -> float:
        return float(self._sum) / max(1, self._count)


def _draw_from(seed: int, step: int, device: torch.device) -> None:
    """Dropout of a step depends on the seed and the step alone."""
    state = np.random.SeedSequence([seed, step]).generate_state(1, np.uint64)
    number = int(state[0] >> np.uint64(1))
    # Seeding every device takes longer than the step of a small net, and most have none but the processor.
    if device.type == "cpu":
        torch.default_generator.manual_seed(number)
    else:
        torch.manual_seed(number)

"""Probes through the training loop: several in one pass, since what takes long is reading and padding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from headscope.probes.padded import Padded, Shelf, Task
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.course import Course, Descent
from headscope.tasks.journey import Journey, Judged
from headscope.tasks.learner import Learner
from headscope.tasks.training import Training
from headscope.text.batches import Progress


@dataclass(frozen=True)
class Trainee:
    """A probe, the rate it begins with, and what it learns."""

    probe: nn.Module
    rate: float
    task: Task = "tree"

    def losses(self, batch: Padded, step: int = 0) -> torch.Tensor:
        """Cross entropy (word,) of the words that are asked, punctuation too."""
        target = batch.targets[self.task].flatten()
        logits = masked_logits(self.probe, batch, self.task).flatten(0, 1)
        return cross_entropy(logits, target, ignore_index=-1, reduction="none")[target >= 0]

    def learner(self) -> Learner[Padded]:
        descent = Descent(self.rate, "adam", "stairs", decay=0.0, clip=None)
        return Learner(dict(self.probe.named_parameters()), self.losses, descent)


def train(
    trainees: Mapping[str, Trainee],
    shelf: Shelf,
    others: Shelf,
    course: Course,
    store: Checkpoints,
    progress: Progress | None = None,
) -> dict[str, Journey]:
    """Train all at once; each ends with its best weights.

    shelf: what is trained on, in an order drawn from the seed. others: what decides when to stop.
    """

    def judge(learning: Sequence[str], progress: Progress) -> dict[str, Judged]:
        losses = mean_losses([trainees[name] for name in learning], others)
        return {name: Judged(-loss, loss) for name, loss in zip(learning, losses, strict=True)}

    return Training(
        {name: trainee.learner() for name, trainee in trainees.items()},
        lambda epoch: shelf.epoch(course.seed, epoch),
        lambda batch: (len(batch.sizes), int(batch.sizes.sum())),
        course,
        judge,
        remedy="see that attention and word vectors are finite numbers",
    ).run(store, progress)


@torch.no_grad()
def mean_losses(trainees: Sequence[Trainee], shelf: Shelf) -> list[float]:
    """Each probe's mean loss per word."""
    sums = np.zeros((len(trainees), 2))
    for batch in shelf.batches():
        losses = [trainee.losses(batch) for trainee in trainees]
        sums += [[float(words.double().sum()), len(words)] for words in losses]
    return [float(loss / max(words, 1)) for loss, words in sums]


def masked_logits(probe: nn.Module, batch: Padded, task: Task) -> torch.Tensor:
    """(sentence, word, 1 + word); minus infinity for what may not be chosen."""
    logits: torch.Tensor = probe(batch)
    return logits.masked_fill(~batch.allowed(task), -torch.inf)

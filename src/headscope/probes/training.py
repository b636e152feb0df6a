"""Training: Adam over batches of sentences, several probes in one pass, stopped early on other documents."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from headscope.probes.padded import Padded, Shelf, Task
from headscope.text.batches import Progress


@dataclass(frozen=True)
class Epochs:
    """How long to train: at most `most` epochs, over which the rate falls in equal steps; a probe stops when
    its loss on other documents has not become smaller in `patience` epochs, and keeps its best weights."""

    most: int = 5
    patience: int = 2


@dataclass
class Trainee:
    """A probe on its way: what it learns, at which rate, and the best it has been."""

    probe: nn.Module
    rate: float
    task: Task = "tree"
    loss: float = float("inf")
    losses: list[float] = field(default_factory=list)
    misses: int = 0

    def __post_init__(self) -> None:
        self._best = deepcopy(self.probe.state_dict())
        self._optimizer = torch.optim.Adam(self.probe.parameters(), lr=self.rate)

    def slow_down(self, share: float) -> None:
        """Go on at a share of the rate."""
        for group in self._optimizer.param_groups:
            group["lr"] = self.rate * share

    def learn(self, batch: Padded) -> None:
        """One step."""
        self._optimizer.zero_grad(set_to_none=True)
        loss, words = loss_of(self.probe, batch, self.task)
        (loss / max(words, 1)).backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()

    def judge(self, loss: float) -> None:
        """Take in the loss on other documents after an epoch."""
        self.losses.append(loss)
        if loss < self.loss:
            self.loss, self.misses, self._best = loss, 0, deepcopy(self.probe.state_dict())
        else:
            self.misses += 1

    def finish(self) -> None:
        """Take the best weights."""
        self.probe.load_state_dict(self._best)
        self.probe.eval()


def train(
    trainees: Sequence[Trainee],
    shelf: Shelf,
    others: Shelf,
    seed: int,
    epochs: Epochs,
    progress: Progress | None = None,
) -> int:
    """Train all at once, since what takes long is reading and padding; the number of epochs it took.

    shelf: what is trained on, in an order drawn from the seed. others: what decides when to stop.
    """
    random = np.random.default_rng(seed)
    epoch = 0
    while epoch < epochs.most and (learning := [each for each in trainees if each.misses < epochs.patience]):
        for trainee in learning:
            trainee.slow_down(1 - epoch / epochs.most)
        for batch in shelf.batches(random):
            for trainee in learning:
                trainee.learn(batch)
            if progress is not None:
                progress(len(batch.sizes), int(batch.sizes.sum()))
        for trainee, loss in zip(learning, mean_losses(learning, others), strict=True):
            trainee.judge(loss)
        epoch += 1
    for trainee in trainees:
        trainee.finish()
    return epoch


@torch.no_grad()
def mean_losses(trainees: Sequence[Trainee], shelf: Shelf) -> list[float]:
    """Each probe's mean loss per word."""
    sums = np.zeros((len(trainees), 2))
    for batch in shelf.batches():
        losses = [loss_of(trainee.probe, batch, trainee.task) for trainee in trainees]
        sums += [[float(loss), words] for loss, words in losses]
    return [float(loss / max(words, 1)) for loss, words in sums]


def loss_of(probe: nn.Module, batch: Padded, task: Task) -> tuple[torch.Tensor, int]:
    """Summed cross entropy over the words that are asked, punctuation too; and how many they are."""
    target = batch.targets[task]
    logits = masked_logits(probe, batch, task)
    loss = cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=-1, reduction="sum")
    return loss, int((target >= 0).sum())


def masked_logits(probe: nn.Module, batch: Padded, task: Task) -> torch.Tensor:
    """(sentence, word, 1 + word); minus infinity for what may not be chosen."""
    logits: torch.Tensor = probe(batch)
    return logits.masked_fill(~batch.allowed(task), -torch.inf)

"""Perceptrons with one hidden layer over vectors, as Conneau et al. 2018 read sentences: many in one pass.

Each has features, a width and a dropout of its own. All go over the same batches through the training loop,
each as if it were alone: it stops by itself, and keeps the weights that do best on the tuning examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn.functional import cross_entropy, dropout

from headscope.probes.attention import uniform
from headscope.tasks.checkpoints import Memory
from headscope.tasks.course import Course, Descent
from headscope.tasks.journey import Judged
from headscope.tasks.learner import Learner
from headscope.tasks.training import Training
from headscope.text.batches import Progress

RATE, STEPS = 1e-2, 40
"""Steps at least between two points at which a perceptron is judged: few examples are gone through again."""

COURSE = Course(epochs=8, batch_size=256, evaluations=1, patience=2)


@dataclass(frozen=True)
class Perceptron:
    """Which features it reads, how many hidden units it has, the share that training leaves out; its seed."""

    features: int
    hidden: int
    dropout: float
    seed: int


@dataclass(frozen=True)
class Examples:
    """features: (kind, example, dim), of mean 0 and spread 1. labels: (example,) from 0."""

    features: torch.Tensor
    labels: torch.Tensor


class Trainee:
    """The weights of one perceptron: a sigmoid layer, then a linear one."""

    def __init__(self, perceptron: Perceptron, train: Examples, classes: int) -> None:
        self.own, self.train = perceptron, train
        draw = torch.Generator().manual_seed(perceptron.seed)
        dim, hidden = train.features.shape[2], perceptron.hidden
        self.inner = uniform((dim, hidden), (6 / (dim + hidden)) ** 0.5, draw)
        self.inner_bias = torch.nn.Parameter(torch.zeros(hidden))
        self.outer = uniform((hidden, classes), (6 / (hidden + classes)) ** 0.5, draw)
        self.outer_bias = torch.nn.Parameter(torch.zeros(classes))

    def logits(self, features: torch.Tensor, rate: float = 0.0) -> torch.Tensor:
        """(example, class) of (example, dim); rate: of dropout."""
        hidden = torch.addmm(self.inner_bias, features, self.inner).sigmoid()
        return torch.addmm(self.outer_bias, dropout(hidden, rate, training=rate > 0), self.outer)

    def losses(self, batch: torch.Tensor, step: int) -> torch.Tensor:
        features = self.train.features[self.own.features, batch]
        logits = self.logits(features, self.own.dropout)
        return cross_entropy(logits, self.train.labels[batch], reduction="none")

    def learner(self) -> Learner[torch.Tensor]:
        names = ("inner", "inner_bias", "outer", "outer_bias")
        descent = Descent(RATE, "adam", "stairs", decay=0.0, clip=None)
        return Learner({name: getattr(self, name) for name in names}, self.losses, descent)

    @torch.no_grad()
    def answers(self, examples: Examples) -> torch.Tensor:
        """(example, class) logits."""
        return self.logits(examples.features[self.own.features])


def teach(
    perceptrons: Sequence[Perceptron],
    train: Examples,
    tune: Examples,
    classes: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Trainee]:
    """Train all of them; each ends with its best weights."""
    trainees = {str(place): Trainee(one, train, classes) for place, one in enumerate(perceptrons)}
    size = len(train.labels)
    steps = -(-size // COURSE.batch_size)
    passes = -(-STEPS // steps)

    def batches(epoch: int) -> Iterator[torch.Tensor]:
        draw = np.random.default_rng([seed, epoch])
        for order in (draw.permutation(size) for _ in range(passes)):
            yield from map(torch.from_numpy, np.array_split(order, steps))

    def judge(learning: Sequence[str], progress: Progress) -> Mapping[str, Judged]:
        return {name: _judged(trainees[name].answers(tune), tune.labels) for name in learning}

    Training(
        {name: trainee.learner() for name, trainee in trainees.items()},
        batches,
        lambda batch: (0, 0),
        COURSE,
        judge,
        passes * steps,
        remedy="see that hidden states are finite numbers",
    ).run(Memory(), progress)
    return list(trainees.values())


def _judged(logits: torch.Tensor, labels: torch.Tensor) -> Judged:
    right = float((logits.argmax(-1) == labels).double().mean())
    return Judged(right, float(cross_entropy(logits, labels)))

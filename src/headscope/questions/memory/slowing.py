"""The state of a recurrent net: where it moves slowest, how it drifts, and training that makes it slower."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import torch

from headscope.measures.slowness import Step, slow_points, speeds
from headscope.questions.memory.learning import Kind, Loss, losses, train
from headscope.questions.memory.making import LEAD, Drawn, Vocabulary
from headscope.questions.memory.options import Options
from headscope.tasks.checkpoints import Checkpoints
from headscope.text.batches import Progress

Arrays = dict[str, np.ndarray]

SETTLED = 15
"""Fillers behind the phrase after which states are averaged, or as many as the longest delay has."""

REPEATS = 10
"""Fillers under which the speed is punished, drawn anew in every step."""

GENTLER = 0.1
"""The rate of more training, as a part of the first."""

SCORED, MORE = 1, 2
"""What is drawn for scores, and for more training."""


def under(net: Any, vectors: torch.Tensor) -> Step:
    """How states go on under inputs, one of vectors (embedding,) for all or (state, embedding) for each."""

    def step(states: torch.Tensor) -> torch.Tensor:
        fed = vectors.expand(len(states), -1)[:, None]
        carried: torch.Tensor = net.memory.recurrence(fed, states)[1]
        return carried

    return step


def filler(net: Any, vocabulary: Vocabulary) -> torch.Tensor:
    """The fixed filler: the mean of the vectors of all of them, (embedding,)."""
    mean: torch.Tensor = net.memory.embedding.weight.detach()[torch.from_numpy(vocabulary.fillers)].mean(0)
    return mean


@torch.no_grad()
def averaged(net: Any, vocabulary: Vocabulary, options: Options) -> torch.Tensor:
    """The mean state of each class over sequences that are answered right, (class, size); else NaN."""
    delay = min(SETTLED + 1, options.delay)
    drawn = vocabulary.scored(np.random.default_rng([options.seed, SCORED, 0]), options.tested, delay)
    ids, classes = torch.from_numpy(drawn.ids), torch.from_numpy(drawn.classes)
    carried = net.memory.recurrence(net.memory.embedding(ids[:, :-1]))[1]
    right = net(ids).logits[:, -1].argmax(-1) == classes + 1
    number = len(vocabulary.phrases)
    sums = carried.new_zeros(number, carried.shape[1]).index_add_(0, classes[right], carried[right])
    means: torch.Tensor = sums / torch.bincount(classes[right], minlength=number)[:, None]
    return means


@torch.no_grad()
def reads_out(net: Any, vocabulary: Vocabulary, states: torch.Tensor) -> np.ndarray:
    """Whether a state still gives its class when it is asked, (class,)."""
    asked = net.memory.embedding.weight[vocabulary.asking].expand(len(states), 1, -1)
    answers = net.output(net.memory.recurrence(asked, states)[0][:, 0]).argmax(-1)
    right: np.ndarray = (answers == 1 + torch.arange(len(states))).numpy()
    return right


def slow(net: Any, vocabulary: Vocabulary, options: Options) -> Arrays:
    """Each (class,): `mean_speed` of the averaged state, `speed` of the slow point that is reached from it,
    whether `read` it still gives its class; and the `points` (class, size). NaN where no answer was right.
    """
    step, recurrence = under(net, filler(net, vocabulary)), net.memory.recurrence
    seen = recurrence.seen
    states = averaged(net, vocabulary, options)
    known = ~states.isnan().any(1)
    points = states.clone()
    points[known] = slow_points(step, states[known], seen, options.descent, nearest=recurrence.nearest)
    with torch.no_grad():
        found = {
            "mean_speed": speeds(step, states, seen).numpy(),
            "speed": speeds(step, points, seen).numpy(),
            "read": np.where(known, reads_out(net, vocabulary, points), np.nan),
        }
    return found | {"points": points.numpy()}


@torch.no_grad()
def drift(net: Any, vocabulary: Vocabulary, options: Options, longest: int) -> Arrays:
    """Where the mean state h of each class goes: `path` (class, step, 2) in two principal components.

    `explained` (2,): their shares of the variance of these means. `moved` (class,): from the longest delay of
    training to the last, beside the mean distance between classes at the former.
    """
    drawn = vocabulary.scored(np.random.default_rng([options.seed, SCORED, longest]), options.tested, longest)
    states = net.memory.recurrence(net.memory.embedding(torch.from_numpy(drawn.ids[:, :-1])))[0]
    number, behind = len(vocabulary.phrases), LEAD + vocabulary.length - 1
    means = torch.stack([states[drawn.classes == own, behind:].mean(0) for own in range(number)])
    flat = means.flatten(0, 1).double()
    flat = flat - flat.mean(0)
    _, sizes, axes = torch.linalg.svd(flat, full_matrices=False)
    axes = axes[:2] * axes[:2].sum(1, keepdim=True).sign()  # the same side up on every machine
    trained = means[:, min(options.delay, longest) - 1].double()
    apart = torch.pdist(trained).mean()
    return {
        "path": (flat @ axes.T).view(number, -1, 2).numpy(),
        "explained": (sizes[:2] ** 2 / (sizes**2).sum()).numpy(),
        "moved": ((means[:, -1].double() - trained).norm(dim=1) / apart).numpy(),
    }


def trained_on(
    net: Any,
    kind: Kind,
    vocabulary: Vocabulary,
    options: Options,
    points: np.ndarray | None,
    store: Checkpoints,
    progress: Progress | None,
) -> Any:
    """A copy of a net after more training, with a penalty on the speed of slow points (class, size), or none.

    Haviv et al. add 0.001 times the sum of squared speeds of ten classes under ten noises each, for 5,000
    steps, beside a loss that is a mean over 11 answers and 20 steps: 0.1 times the mean, where the loss that
    is a mean here counts 38 / 220. A weight of 0.58 here does the same.
    """
    copy = deepcopy(net)

    def drawn() -> Iterator[Drawn]:
        random, size = np.random.default_rng([kind.seed, MORE]), options.batch_size
        for _ in range(options.slower):
            yield vocabulary.training(random, size, options.delay, options.delay, options.classes)

    loss = _punished(copy, vocabulary, options.penalty, points)
    rate, seed = GENTLER * options.rate, kind.seed + 1
    train(copy, loss, drawn, options.slower, rate, seed, store, progress)
    return copy


def _punished(net: Any, vocabulary: Vocabulary, penalty: float, points: np.ndarray | None) -> Loss:
    if points is None:
        return lambda batch, step: losses(net, batch)
    states = torch.from_numpy(points[~np.isnan(points).any(1)]).repeat(REPEATS, 1)
    fillers = torch.from_numpy(vocabulary.fillers)

    def loss(batch: Drawn, step: int) -> torch.Tensor:
        fed = net.memory.embedding(fillers[torch.randint(len(fillers), (len(states),))])
        fast = speeds(under(net, fed), states, net.memory.recurrence.seen).square()
        return losses(net, batch) + (penalty * fast.mean() if len(states) else 0.0)

    return loss

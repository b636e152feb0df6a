"""Training of the nets: batches that grow harder, and the loss that Haviv et al. 2019 train with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from headscope.nets.memory import MemoryConfig, MemoryForTokenClassification
from headscope.questions.memory.making import Drawn, Vocabulary
from headscope.questions.memory.options import CURRICULA, RECURRENT, SHORTEST, Options
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.course import Course, Descent
from headscope.tasks.learner import Learner
from headscope.tasks.training import Training
from headscope.text.batches import Progress

GROWING = 0.6
"""The share of steps after which the task is as hard as it gets."""

FIRST_DELAY, FIRST_CLASSES = SHORTEST + 2, 2
"""What it begins with."""

POINTS = 4
"""Of a training, from which a stopped one goes on."""

Loss = Callable[[Drawn, int], torch.Tensor]


@dataclass(frozen=True)
class Kind:
    """One net that is trained."""

    net: str
    curriculum: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.net}-{self.curriculum}-{self.seed}"

    @property
    def has_slow_points(self) -> bool:
        """Whether all that it knows of the past is its state."""
        return self.net in RECURRENT


def kinds_of(options: Options) -> list[Kind]:
    """All nets that are asked for; those with attention are trained by the first curriculum alone."""
    curricula = CURRICULA if options.curriculum == "both" else (options.curriculum,)
    seeds = range(options.seed, options.seed + options.seeds)
    return [
        Kind(net, curriculum, seed)
        for net in options.nets
        for curriculum in (curricula if net in RECURRENT else curricula[:1])
        for seed in seeds
    ]


def build(kind: Kind, options: Options, vocabulary: Vocabulary) -> Any:
    """A net before training; torch's random state is left as it was."""
    memory, _, attention = kind.net.partition("-")
    # One word tells its class; who did something to whom, only a state behind several words.
    seen = "words" if vocabulary.length == 1 else "states"
    config = MemoryConfig(
        vocab_size=len(vocabulary.words) + 2,
        hidden_size=options.hidden,
        feed_forward=options.hidden,
        memory=memory,
        attention=seen if attention else "none",
        num_labels=len(vocabulary.phrases) + 1,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(kind.seed)
        return MemoryForTokenClassification(config).eval()


def stage(curriculum: str, step: int, options: Options) -> tuple[int, int]:
    """The longest delay and the number of classes of a step.

    >>> options = Options(model="gru", steps=100)
    >>> [stage("delay", step, options) for step in (0, 30, 60, 99)]
    [(6, 10), (12, 10), (18, 10), (18, 10)]
    >>> [stage("vocabulary", step, options) for step in (0, 30, 60)]
    [(18, 2), (18, 6), (18, 10)]
    """
    share = min(1.0, step / (GROWING * options.steps))
    if curriculum == "delay":
        least = min(FIRST_DELAY, options.delay)
        return round(least + share * (options.delay - least)), options.classes
    return options.delay, round(FIRST_CLASSES + share * (options.classes - FIRST_CLASSES))


def batches(kind: Kind, options: Options, vocabulary: Vocabulary) -> Iterator[Drawn]:
    """All batches of a training, drawn from its seed and its curriculum alone."""
    random = np.random.default_rng([kind.seed, CURRICULA.index(kind.curriculum)])
    for step in range(options.steps):
        most, classes = stage(kind.curriculum, step, options)
        yield vocabulary.training(random, options.batch_size, options.delay, most, classes)


def losses(net: Any, drawn: Drawn) -> torch.Tensor:
    """(sequence,): as much of the answer that is asked for as of silence at all words together, in nats."""
    ids, answers = torch.from_numpy(drawn.ids), torch.from_numpy(drawn.answers)
    nats = cross_entropy(net(ids).logits.flatten(0, 1), answers.flatten(), reduction="none")
    nats = nats.view(ids.shape)  # (sequence, word)
    asked = nats.gather(1, torch.from_numpy(drawn.asked)[:, None])[:, 0]
    others = ids.shape[1] - 1
    return (others * asked + nats.sum(1)) / (2 * others)


def train(
    net: Any,
    loss: Loss,
    drawn: Callable[[], Iterator[Drawn]],
    steps: int,
    rate: float,
    seed: int,
    store: Checkpoints,
    progress: Progress | None = None,
) -> None:
    """Train a net in place, or go on from what the store has; it ends in the same bits."""
    descent = Descent(rate, "adam", "warm", decay=0.0)
    Training(
        {"net": Learner(dict(net.named_parameters()), loss, descent)},
        lambda epoch: drawn(),
        lambda batch: (len(batch.ids), batch.ids.size),
        Course(epochs=1, evaluations=POINTS, seed=seed),
        steps=steps,
        remedy="train at a lower --rate",
    ).run(store, progress)

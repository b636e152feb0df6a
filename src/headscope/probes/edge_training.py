"""Edge probes through the training loop, and what comes of them on other documents: counts, nats, weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice, pairwise

import numpy as np
import torch

from headscope.blocks import BLOCKS
from headscope.measures.layers import FRACTIONS, code_edges
from headscope.probes.edge_shelf import CONTROL, TASK, EdgeShelf
from headscope.probes.edges import EdgeBatch, EdgeProbes, Shape
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.course import Course, Descent
from headscope.tasks.learner import Learner
from headscope.tasks.training import Training
from headscope.text.batches import Progress

RATE = 2e-3
KEPT = 3
"""Points of a training from which a stopped one goes on."""

CODED, EPOCHS, FEWEST_STEPS = 40_000, 3, 100
"""Of an online code: most targets that are sent; how often a probe goes over those before it, at least this
many steps."""

Look = Callable[[EdgeBatch, torch.Tensor], None]
"""Is shown every batch that is scored, and its probabilities (probe, target, label)."""


@dataclass(frozen=True)
class Lesson:
    """What is trained on and what is scored. counted: (label,) bool, those that a score is over."""

    train: EdgeShelf
    test: EdgeShelf
    shape: Shape
    counted: np.ndarray
    steps: int

    def learn(
        self, seed: int, control: bool, store: Checkpoints, progress: Progress | None = None
    ) -> dict[str, EdgeProbes]:
        """Train the probes of a seed, and if wanted those of the control task beside them."""
        names = (TASK, CONTROL) if control else (TASK,)
        probes = {name: EdgeProbes(self.shape, seed) for name in names}
        _train(probes, self.train.endless(seed), self.steps, seed, store, progress)
        return probes

    @torch.no_grad()
    def score(self, probes: EdgeProbes, task: str, look: Look | None = None) -> np.ndarray:
        """(probe, block, 3): labels found rightly, predicted, and there to find, of those that count."""
        counts = np.zeros((self.shape.layers, BLOCKS, 3))
        probes.eval()
        for batch in self.test.batches():
            logits = probes(batch)
            if look is not None:
                look(batch, torch.softmax(logits, -1))
            gold = batch.labels[task].numpy()
            for probe, predicted in enumerate(logits.argmax(-1).numpy()):
                counts[probe] += count(predicted, gold, batch.blocks, self.counted)
        return counts

    def constant(self, label: int, task: str = TASK) -> np.ndarray:
        """(block, 3), as `score`, of who always says the same label."""
        counts = np.zeros((BLOCKS, 3))
        for batch in self.test.batches():
            gold = batch.labels[task].numpy()
            counts += count(np.full(len(gold), label), gold, batch.blocks, self.counted)
        return counts

    def code(
        self, seed: int, targets: int, store: Callable[[int], Checkpoints], progress: Progress | None = None
    ) -> tuple[list[int], np.ndarray]:
        """Where the blocks of an online code end, and what each but the first costs in nats, (probe, block).

        targets: how many the training data has. store: for the probes of each block.
        """
        edges = code_edges(min(targets, CODED), FRACTIONS)
        nats = np.zeros((self.shape.layers, len(edges) - 1))
        for number, (start, stop) in enumerate(pairwise(edges)):
            steps = code_steps(start, self.steps, self.train.batch_size)
            probes = {TASK: EdgeProbes(self.shape, seed)}
            before = list(self.train.between(seed, 0, start))
            _train(probes, cycle(before), steps, seed, store(number), progress)
            nats[:, number] = self._nats(probes[TASK].eval(), seed, start, stop)
        return edges, nats

    @torch.no_grad()
    def _nats(self, probes: EdgeProbes, seed: int, start: int, stop: int) -> np.ndarray:
        batches = self.train.between(seed, start, stop)
        return sum((probes.losses(batch, TASK).double().sum(1).numpy() for batch in batches), np.zeros(()))


def code_steps(targets: int, most: int, batch_size: int) -> int:
    """How long a probe of an online code is trained on so many targets."""
    return min(most, max(FEWEST_STEPS, EPOCHS * targets // batch_size))


def targets_of_code(targets: int, most: int, batch_size: int) -> int:
    """How many targets all probes of an online code are trained on, batch after batch, of so many.

    >>> targets_of_code(1000, 20, 256)  # 20 batches of 1, 2, 4, 8, 16, 32, 62, 125, 250 and 256
    15120
    """
    edges = code_edges(min(targets, CODED), FRACTIONS)
    return sum(code_steps(start, most, batch_size) * min(start, batch_size) for start in edges[:-1])


def count(predicted: np.ndarray, gold: np.ndarray, blocks: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """(block, 3) of predictions and true labels (target,), -1 for one that is never predicted.

    >>> counts = count(np.array([1, 1, 0]), np.array([1, 0, 1]), np.zeros(3, int), np.array([False, True]))
    >>> counts[0].tolist()  # of label 1: one is right, two are predicted, two are there
    [1.0, 2.0, 2.0]
    """
    there = np.append(counted, True)[gold]  # of an unknown label it counts that it is there
    each = [(predicted == gold) & there, counted[predicted], there]
    return np.stack([np.bincount(blocks, which, BLOCKS) for which in each], 1)


def _train(
    probes: dict[str, EdgeProbes],
    batches: Iterator[EdgeBatch],
    steps: int,
    seed: int,
    store: Checkpoints,
    progress: Progress | None,
) -> None:
    """Train for so many steps, the last weights kept: nothing is chosen."""
    Training(
        {name: _learner(own, name) for name, own in probes.items()},
        lambda epoch: islice(batches, steps),
        lambda batch: (0, len(batch)),
        Course(epochs=1, evaluations=min(KEPT, steps), seed=seed),
        steps=steps,
        remedy="see that the hidden states are finite numbers",
    ).run(store, progress)


def _learner(probes: EdgeProbes, task: str) -> Learner[EdgeBatch]:
    def losses(batch: EdgeBatch, step: int) -> torch.Tensor:
        """Summed over probes, which share nothing: so each learns as if it were alone."""
        return probes.train().losses(batch, task).sum(0)

    descent = Descent(RATE, "adam", "warm", decay=0.0, clip=None)
    return Learner(dict(probes.named_parameters()), losses, descent)

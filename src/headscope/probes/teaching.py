"""One round: all probes of a seed trained over the same features, then scored on other documents."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from headscope.probes.attention import AttentionProbe
from headscope.probes.distances import DistanceProbe
from headscope.probes.outcomes import ATTENTION, BRANCHING, DISTANCES, WORDS, Outcome
from headscope.probes.padded import Shelf, Task
from headscope.probes.scores import accuracy, branching, parser_of, score, without_each_head
from headscope.probes.training import Trainee, train
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.course import Course
from headscope.tasks.journey import Journey
from headscope.text.batches import Progress

RATES = {ATTENTION: 0.1, WORDS: 0.02, DISTANCES: 0.008}
"""Chosen on the tuning split of UD English EWT."""


@dataclass(frozen=True)
class Round:
    """What is trained on, what decides when to stop, and what is scored.

    heads: how many maps the features have. baselines: train and score those without attention too. control:
    train on the control task too.
    """

    train: Shelf
    tune: Shelf
    test: Shelf
    heads: int
    baselines: bool
    control: bool

    def run(self, course: Course, store: Checkpoints, progress: Progress | None = None) -> Outcome:
        """Train every probe from the course's seed, or go on from what the store has, and score it."""
        seed = course.seed
        trees = self._attention(seed, "tree")
        controls = self._attention(seed, "control") if self.control else {}
        vectors = self._vectors()
        if vectors is not None and self.baselines:
            trees[DISTANCES] = Trainee(DistanceProbe(_generator(seed), vectors), RATES[DISTANCES])
        everyone = trees | {f"{name}, control": trainee for name, trainee in controls.items()}
        journeys = train(everyone, self.train, self.tune, course, store, progress)
        outcome = Outcome(seed, epochs=max(len(journey.marks) for journey in journeys.values()))
        outcome.losses = {name: _lowest(journeys[name]) for name in trees}
        parsers = {name: parser_of(trainee.probe) for name, trainee in trees.items()}
        if self.baselines:
            parsers[BRANCHING] = branching
        outcome.scores = dict(zip(parsers, score(list(parsers.values()), self.test), strict=True))
        probes = [trainee.probe for trainee in controls.values()]
        outcome.control = dict(zip(controls, accuracy(probes, self.test, "control"), strict=True))
        if self.baselines:
            self._take_heads_away(outcome, trees)
        return outcome

    def _attention(self, seed: int, task: Task) -> dict[str, Trainee]:
        vectors = self._vectors()
        inputs = {ATTENTION: None} if vectors is None else {ATTENTION: None, WORDS: vectors}
        return {
            name: Trainee(AttentionProbe(self.heads, _generator(seed), vectors), RATES[name], task)
            for name, vectors in inputs.items()
        }

    def _vectors(self) -> torch.Tensor | None:
        vectors = self.train.vectors
        return None if vectors is None else torch.from_numpy(vectors.table)

    def _take_heads_away(self, outcome: Outcome, trees: dict[str, Trainee]) -> None:
        trained = {name: trainee.probe for name, trainee in trees.items()}
        probes = {name: probe for name, probe in trained.items() if isinstance(probe, AttentionProbe)}
        counts = without_each_head(list(probes.values()), self.test)
        outcome.without = dict(zip(probes, counts, strict=True))
        outcome.weights = probes[ATTENTION].bias.detach().numpy().reshape(2, self.heads)


def _lowest(journey: Journey) -> float:
    """The loss that the best weights were chosen by."""
    best = journey.best
    assert best is not None and best.dev_loss is not None
    return best.dev_loss


def _generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)

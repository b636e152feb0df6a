"""Planted classifiers put to the test: their numbers, for any explanation in attention's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.explainers import EXPLAINERS, Asked, Explainer
from headscope.questions.trust.analysis import Trial
from headscope.questions.trust.answering import Answering
from headscope.questions.trust.case import YARDSTICKS
from headscope.questions.trust.numbers import Numbers
from headscope.tasks.choice import task_for
from headscope.text import Document
from tests.explainers.planted import planted, texts

BESIDE = ("rollout", "generic", "attention-gradient", "gradient-input", "saliency")


class Heads:
    """All of them."""

    layers = heads = None
    seed = 0


@dataclass
class Extended(Trial):
    """A trial with explanations of our own."""

    more: tuple[Explainer, ...] = ()

    def explainers(self) -> list[Explainer]:
        own = [one.name for one in self.more]
        known = replace(self, names=tuple(name for name in self.names if name not in own), more=())
        by_name = {one.name: one for one in [*Trial.explainers(known), *self.more]}
        return [by_name[name] for name in self.names if name in by_name]


def documents_of(count: int, seed: int) -> list[Document]:
    made, _ = texts(count, seed)
    return [replace(Document.from_text(f"{seed}/{n}", text), label="LABEL_0") for n, text in enumerate(made)]


def numbers(
    looks: bool,
    of: str = "attention",
    count: int = 40,
    seed: int = 0,
    more: Sequence[Explainer] = (),
    words: int = 12,
) -> Numbers:
    """The numbers of a planted classifier."""
    model = planted(looks)
    names = (of, *BESIDE, *(one.name for one in more))
    answering = Answering(task_for(model, "classification"), 1, 0)
    trial = Extended(answering, names, "mask", words, 1, False, 0, more=tuple(more))
    plan = Plan(setting_of(model, Heads(), ANY_UNIT), [trial], 64, 16, trial.answering.task.cutter)
    (dataset,) = plan.arrays(run(plan, documents_of(count, seed), "trial"))
    return Numbers.of_dataset(dataset, of, YARDSTICKS)


def permuted(name: str, seed: int) -> Explainer:
    """Attention, whose weights on the words of each text have changed places."""
    attention = EXPLAINERS["attention"]

    def explain(asked: Asked) -> torch.Tensor:
        weights = attention(asked)
        free = asked.seen & ~asked.special[asked.texts]
        for row, (own, ids) in enumerate(zip(free, asked.ids[asked.texts], strict=True)):
            places = own.nonzero()[:, 0]
            order = np.random.default_rng([seed, *ids.tolist()]).permutation(len(places))
            weights[row, places] = weights[row, places[torch.as_tensor(order)]]
        return weights

    return replace(attention, name=name, explain=explain)

"""Explanations of our own in a trial: attention whose weights have changed places."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch

from headscope.explainers import EXPLAINERS, Asked, Explainer
from headscope.questions.trust.analysis import Trial


@dataclass
class Extended(Trial):
    """A trial with explanations of our own."""

    more: tuple[Explainer, ...] = ()

    def explainers(self) -> list[Explainer]:
        own = [one.name for one in self.more]
        known = replace(self, names=tuple(name for name in self.names if name not in own), more=())
        by_name = {one.name: one for one in [*Trial.explainers(known), *self.more]}
        return [by_name[name] for name in self.names if name in by_name]


def permuted(name: str, seed: int) -> Explainer:
    """Attention, whose weights on the words of each text have changed places."""
    attention = EXPLAINERS["attention"]

    def explain(asked: Asked) -> torch.Tensor:
        weights = attention(asked)
        free = asked.seen & ~asked.special[asked.texts]
        for row, (own, ids) in enumerate(zip(free, asked.ids[asked.texts], strict=True)):
            places = own.nonzero()[:, 0]
            order = np.random.default_rng([seed, *ids[own].tolist()]).permutation(len(places))
            weights[row, places] = weights[row, places[torch.as_tensor(order)]]
        return weights

    return replace(attention, name=name, explain=explain)

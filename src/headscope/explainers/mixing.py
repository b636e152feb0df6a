"""Nets whose answer is linear in the weights of one attention: what other weights give needs no pass."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from headscope.attention import Site
from headscope.explainers.asked import Asked
from headscope.explainers.last import last_site
from headscope.models import Model
from headscope.nets.han import HanForSequenceClassification
from headscope.nets.pooled import PooledForSequenceClassification


@dataclass(frozen=True, eq=False)
class Mixing:
    """site: the attention. weights: (answer, key), its own. parts: (answer, key, entry), what each piece
    would say with all of the weight. bias: (entry,), what is said without any. Keys may be sentences."""

    site: Site
    weights: torch.Tensor
    parts: torch.Tensor
    bias: torch.Tensor

    def logits(self, weights: torch.Tensor) -> torch.Tensor:
        """What is answered under other weights (answer, draw, key): (answer, draw, entry)."""
        return torch.baddbmm(self.bias, weights, self.parts)

    def some(self, rows: torch.Tensor) -> Mixing:
        """Of some answers."""
        return Mixing(self.site, self.weights[rows], self.parts[rows], self.bias)


def is_linear(model: Model) -> bool:
    """Whether a model is such a net."""
    nets = PooledForSequenceClassification, HanForSequenceClassification
    return isinstance(model.module, nets) and model.module.config.texts == 1


def mixing_of(asked: Asked) -> Mixing:
    """The parts of each answer, from one pass over the texts."""
    site = last_site(asked.model)
    hearing, output = asked.hearing, asked.model.module.output
    weights, values = hearing.maps[site].detach(), hearing.values[site]
    assert values is not None
    with torch.no_grad():
        parts = torch.nn.functional.linear(values[:, 0], output.weight)
    texts = asked.texts
    return Mixing(site, weights[texts, 0, 0], parts[texts].detach(), output.bias.detach())

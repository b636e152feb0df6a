"""How far the maps of two models lie apart, text by text: what an adversary is paid for, and what it is told.

Maps are (batch, head, query, key); real, (batch, query) bool, names the queries that count: no padding, and
none that sees nothing. All is in nats and of weights before dropout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch

from headscope.measures.information import entropy

Kind = Literal["kl", "jsd"]


def kullback_leibler(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Kullback-Leibler divergence of the first from the second over the last axis, at least 0, without end.

    A weight of 0 counts as the smallest number above it inside the logarithm, so that there is a gradient
    everywhere; where both are 0, as at padding, nothing is added.

    >>> kullback_leibler(torch.tensor([0.5, 0.5, 0.0]), torch.tensor([0.25, 0.75, 0.0])).item()
    0.1438...
    """
    least = torch.finfo(first.dtype).tiny
    return (first * (first.clamp_min(least).log() - second.clamp_min(least).log())).sum(-1)


def jensen_shannon_with_slope(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Jensen-Shannon divergence over the last axis, with a gradient also where a weight is 0.

    >>> weights = torch.tensor([1.0, 0.0], requires_grad=True)
    >>> jensen_shannon_with_slope(weights, torch.tensor([0.0, 1.0])).item()
    0.6931...
    """
    middle = (first + second) / 2
    return (kullback_leibler(first, middle) + kullback_leibler(second, middle)) / 2


DIVERGENCES: dict[Kind, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "kl": kullback_leibler,
    "jsd": jensen_shannon_with_slope,
}
"""Of a row from the base's: KL(own || base), as Wiegreffe and Pinter 2019, or Jensen-Shannon."""


def over_rows(values: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    """Mean over the queries that count: (batch, ..., query) to (batch, ...), 0 where there is none.

    >>> over_rows(torch.tensor([[[1.0, 3.0, 9.0]]]), torch.tensor([[True, True, False]])).tolist()
    [[2.0]]
    """
    shape = real.shape[0], *(1,) * (values.ndim - 2), real.shape[1]
    counted = real.reshape(shape)
    return (values * counted).sum(-1) / counted.sum(-1).clamp_min(1)


def map_divergence(own: torch.Tensor, base: torch.Tensor, real: torch.Tensor, kind: Kind) -> torch.Tensor:
    """Of each head from the base's of the same number, mean over queries: (batch, head), with its graph."""
    return over_rows(DIVERGENCES[kind](own, base), real)


def pairs_apart(own: torch.Tensor, base: torch.Tensor, real: torch.Tensor) -> dict[str, torch.Tensor]:
    """All pairs of heads, mean over queries: `jsd`, `kl` and `top`, each (batch, own head, base's head).

    top: the share of queries whose highest weight lies on the same key; of keys that tie, each as likely.
    """
    least = torch.finfo(own.dtype).tiny
    of_own, of_base, logs = entropy(own), entropy(base), base.clamp_min(least).log()
    highest, highest_of_base = _highest(own), _highest(base)
    found: dict[str, list[torch.Tensor]] = {"jsd": [], "kl": [], "top": []}
    for head in range(own.shape[1]):
        one, information = own[:, head, None], of_own[:, head, None]
        middle = entropy((one + base) / 2)
        found["jsd"].append(over_rows((middle - (information + of_base) / 2).clamp_min(0), real))
        found["kl"].append(over_rows(-information - (one * logs).sum(-1), real))
        found["top"].append(over_rows((highest[:, head, None] * highest_of_base).sum(-1), real))
    return {name: torch.stack(rows, 1) for name, rows in found.items()}


def _highest(maps: torch.Tensor) -> torch.Tensor:
    """1 on the key with the highest weight; in equal parts, where several have it."""
    tied = (maps == maps.amax(-1, keepdim=True)).to(maps.dtype)
    return tied / tied.sum(-1, keepdim=True)

"""Entropy and divergences of attention rows, in nats."""

from __future__ import annotations

import torch


def entropy(weights: torch.Tensor) -> torch.Tensor:
    """Shannon entropy over the last axis: (..., key) to (...).

    Clark et al. 2019 section 3.3. Zero weights count as 0 log 0 = 0; nothing is smoothed.

    >>> entropy(torch.tensor([0.5, 0.5])).item()
    0.6931...
    """
    return torch.special.entr(weights).sum(-1)


def jensen_shannon(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Jensen-Shannon divergence over the last axis, from 0 to ln 2; Clark et al. 2019 section 6.

    >>> jensen_shannon(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])).item()
    0.6931...
    """
    middle = (first + second) / 2
    return entropy(middle) - (entropy(first) + entropy(second)) / 2


def divergence_slope(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """The derivative of `jensen_shannon` by each number of the first, (..., key); 0 where both are 0.

    It is log(first / middle) / 2, as what comes of the middle cancels out. A first number of 0 counts as the
    smallest above it, for its slope has no end.

    >>> divergence_slope(torch.tensor([0.5, 0.5, 0.0]), torch.tensor([0.5, 0.0, 0.0])).tolist()
    [0.0, 0.346..., 0.0]
    """
    least = torch.finfo(first.dtype).tiny
    middle = (first + second) / 2
    return (first.clamp_min(least).log() - middle.clamp_min(least).log()) / 2


def total_variation(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Half of the sum of absolute differences over the last axis, from 0 to 1.

    Of two classes it is the difference of either's probability, which Jain and Wallace 2019 print. Wiegreffe
    and Pinter 2019 print half of that, half the difference of one output of two.

    >>> total_variation(torch.tensor([0.75, 0.25]), torch.tensor([0.5, 0.5])).item()
    0.25
    """
    return (first - second).abs().sum(-1) / 2


def likeness(weights: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
    """How alike the maps of a layer are: the mean cosine of all pairs of heads, over queries, (batch,).

    weights: (batch, head, query, key). visible: (batch or 1, 1, query, key) bool; queries that see fewer than
    two keys have no choice and are left out. The sum over pairs is that of all directions together, squared.

    >>> maps = torch.tensor([[[[1.0, 0.0]], [[0.0, 1.0]], [[0.0, 1.0]]]])
    >>> likeness(maps, torch.ones(1, 1, 1, 2, dtype=torch.bool)).item()
    0.3333...
    """
    heads = weights.shape[1]
    choosing = (visible.sum(-1) > 1)[:, 0]  # (batch or 1, query)
    directions = torch.nn.functional.normalize(weights, dim=-1)
    pairs = (directions.sum(1).square().sum(-1) - heads) / (heads * (heads - 1))
    return (pairs * choosing).sum(-1) / choosing.sum(-1).clamp_min(1)


def divergences(maps: torch.Tensor, block: int = 4) -> torch.Tensor:
    """Jensen-Shannon divergence between all pairs of heads, summed over queries.

    maps: (head, query, key). Returns (head, head), float64. Works on any device; on a CPU
    `compiled.divergences` does the same faster.
    """
    heads = len(maps)
    own = entropy(maps).sum(-1).double()
    mixed = torch.empty(heads, heads, dtype=torch.float64, device=maps.device)
    for start in range(0, heads, block):
        middle = (maps[start : start + block, None] + maps[None]) / 2
        mixed[start : start + block] = entropy(middle).sum(-1).double()
    return (mixed - (own[:, None] + own[None]) / 2).clamp_min(0).fill_diagonal_(0)

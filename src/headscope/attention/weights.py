"""What may be called attention: weights between 0 and 1 whose rows sum to 1, or to less by design."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from headscope.errors import ModelError


def check_weights(maps: Iterable[torch.Tensor], family: str) -> int:
    """How many maps have rows that sum to less than 1; what is no attention at all is refused.

    maps: each (batch, head, query, key), of queries that are no padding.
    """
    return sum(_sums_to_less(weights.detach(), family) for weights in maps)


def _sums_to_less(weights: torch.Tensor, family: str) -> bool:
    coarse = weights.dtype not in (torch.float32, torch.float64)
    if not bool(torch.isfinite(weights).all()):
        advice = "; load it in float32" if coarse else ""
        raise ModelError(f"the attention of {family} is not a number on a few pieces of text{advice}")
    slack = 2e-2 if coarse else 1e-3
    rows = weights.double().sum(-1)
    low, high, least, most = (
        float(number) for number in (weights.min(), weights.max(), rows.min(), rows.max())
    )
    if low < -slack or high > 1 + slack or most > 1 + slack:
        raise ModelError(
            f"what {family} shows as attention lies between {low:.2g} and {high:.2g}, with rows that sum to "
            f"{least:.2g} to {most:.2g}: these are no attention weights, so headscope cannot listen to it"
        )
    return least < 1 - slack

"""Hard-concrete gates (Louizos et al. 2018, as Voita et al. 2019, section 5, use them for heads).

A gate is a stretched and clipped sigmoid: it can be exactly 0 or 1 and still be learned. Each has one
parameter, the log of `a`. The published code's constants, also that its test gate has no temperature.
"""

from __future__ import annotations

from math import log

import torch

TEMPERATURE = 0.33
LOW, HIGH = -0.1, 1.1
_EDGE = 1e-6


def sample(log_a: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
    """Random gates between 0 and 1, of the shape of `log_a`, that carry its gradient.

    noise: of the same shape, drawn evenly between 0 and 1.
    """
    noise = noise.to(log_a).clamp(_EDGE, 1 - _EDGE)
    return _stretched(torch.sigmoid((noise.log() - (-noise).log1p() + log_a) / TEMPERATURE))


def settled_gate(log_a: torch.Tensor) -> torch.Tensor:
    """The gate without noise.

    >>> settled_gate(torch.tensor([-9.0, 0.0, 9.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    return _stretched(torch.sigmoid(log_a))


def chance_open(log_a: torch.Tensor) -> torch.Tensor:
    """The chance that a random gate is not 0: the part of the loss that closes gates.

    >>> round(chance_open(torch.tensor(0.0)).item(), 3)
    0.688
    """
    return torch.sigmoid(log_a - TEMPERATURE * log(-LOW / HIGH))


def _stretched(share: torch.Tensor) -> torch.Tensor:
    return (share * (HIGH - LOW) + LOW).clamp(0, 1)

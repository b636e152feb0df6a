"""Multinomial logistic regression with several strengths of its penalty at once, without a rate to choose.

The loss of a strength is the mean cross entropy plus strength / 2 times the squared weights, the bias left
out. Its curvature is nowhere above X'X / 2n + strength (Boehning 1992), so steps by the inverse of that never
go too far; in the basis where X'X is diagonal, the inverse is a division. Steps gather momentum (Nesterov
1983), which starts anew whenever it points uphill (O'Donoghue and Candes 2015). Of two classes, the weights
of one are at every step those of the other with the other sign, so that only these are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

STEPS, TOLERANCE = 100, 5e-4
"""Steps at most, and the largest slope at which they end."""


@dataclass(frozen=True)
class Scaled:
    """Features brought to mean 0 and spread 1, both those of the training examples, (dim,) each."""

    mean: torch.Tensor
    spread: torch.Tensor

    @classmethod
    def of(cls, features: torch.Tensor) -> Scaled:
        """Of training examples (example, dim); a dimension that never changes stays at 0."""
        spread = features.std(0, correction=0)
        return cls(features.mean(0), torch.where(spread > 0, spread, torch.ones_like(spread)))

    def __call__(self, features: torch.Tensor) -> torch.Tensor:
        return (features - self.mean) / self.spread


def fit(features: torch.Tensor, labels: torch.Tensor, classes: int, strengths: Sequence[float]) -> Fitted:
    """Weights for each strength. features: (example, dim) of mean 0. labels: (example,) from 0."""
    size, kept = len(features), 1 if classes == 2 else classes
    columns = len(strengths) * kept
    spread, basis = torch.linalg.eigh(features.double().T @ features.double() / size)
    basis = basis.float()
    turned = features @ basis  # (example, dim): here X'X is diagonal
    strength = torch.tensor(strengths).repeat_interleave(kept)  # (column,)
    curvature = spread.clamp_min(0).float()[:, None] / 2 + strength  # (dim, column)
    wanted = torch.zeros(size, classes).index_put_((torch.arange(size), labels), torch.ones(()))[:, -kept:]
    weights, bias = torch.zeros(len(spread), columns), torch.zeros(columns)
    ahead, ahead_bias, pace = weights, bias, 1.0
    for _ in range(STEPS):
        # A few rows times a large matrix is several times as fast as that times a few columns.
        logits = torch.addmm(ahead_bias[:, None], ahead.T, turned.T).T.reshape(size, -1, kept)
        chance = torch.sigmoid(2 * logits) if kept == 1 else logits.softmax(-1)
        off = ((chance - wanted[:, None]) / size).view(size, columns)
        slope, slope_bias = (off.T @ turned).T + strength * ahead, off.sum(0)
        if max(slope.abs().max(), slope_bias.abs().max()) < TOLERANCE:
            weights, bias = ahead, ahead_bias
            break
        moved, moved_bias = ahead - slope / curvature, ahead_bias - 2 * slope_bias
        uphill = ((slope * (moved - weights)).sum() + (slope_bias * (moved_bias - bias)).sum()) > 0
        faster = 1.0 if uphill else (1 + (1 + 4 * pace**2) ** 0.5) / 2
        push = 0.0 if uphill else (pace - 1) / faster
        ahead, ahead_bias = moved + push * (moved - weights), moved_bias + push * (moved_bias - bias)
        weights, bias, pace = moved, moved_bias, faster
    shaped = (basis @ weights).view(-1, len(strengths), kept).permute(1, 0, 2)
    bias = bias.view(len(strengths), kept)
    if kept == 1:
        shaped, bias = torch.cat([-shaped, shaped], -1), torch.cat([-bias, bias], -1)
    return Fitted(shaped.contiguous(), bias)


@dataclass(frozen=True)
class Fitted:
    """weights: (strength, dim, class). bias: (strength, class)."""

    weights: torch.Tensor
    bias: torch.Tensor

    def logits(self, features: torch.Tensor) -> torch.Tensor:
        """(strength, example, class)."""
        return features @ self.weights + self.bias[:, None]

"""Logistic regression: at its end the slope is 0, and it finds what scikit-learn's formula asks for."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.optimize import minimize

from headscope.probes.logistic import Scaled, fit

STRENGTHS = (0.3, 0.03)


def made(size: int = 200, dim: int = 6, classes: int = 3) -> tuple[torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(0)
    features = torch.randn(size, dim, generator=draw) * torch.arange(1, dim + 1)
    features = features - features.mean(0)
    logits = features @ torch.randn(dim, classes, generator=draw) + torch.randn(size, classes, generator=draw)
    return features, logits.argmax(1)


def loss(weights: np.ndarray, features: np.ndarray, labels: np.ndarray, strength: float) -> float:
    """Mean cross entropy and penalty, written once more."""
    inner, bias = weights[:-1], weights[-1]
    logits = features @ inner + bias
    total = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1)
    return float((total - logits[np.arange(len(labels)), labels]).mean() + strength / 2 * (inner**2).sum())


@pytest.mark.parametrize("classes", [2, 3])
def test_it_ends_where_another_way_ends(classes: int) -> None:
    features, labels = made(classes=classes)
    fitted = fit(features, labels, classes, STRENGTHS)
    plain = features.double().numpy(), labels.numpy()
    for place, strength in enumerate(STRENGTHS):
        ours = np.concatenate([fitted.weights[place], fitted.bias[place][None]]).astype(float)
        start = np.zeros(7 * classes)
        best = minimize(lambda flat, s=strength: loss(flat.reshape(7, classes), *plain, s), start).fun
        assert best - 1e-6 <= loss(ours, *plain, strength) < best + 1e-4


def test_two_points_by_hand() -> None:
    """Features 1 and -1 of two classes: the margin m = 2 w x has 2 s w = sigmoid(-2 w), at s = 0.25."""
    features, labels = torch.tensor([[1.0], [-1.0]]), torch.tensor([0, 1])
    fitted = fit(features, labels, 2, [0.25])
    first, second = fitted.weights[0, 0].tolist()
    assert abs(first + second) < 1e-6
    assert abs(0.25 * first - 1 / (1 + np.exp(2 * first)) * 1.0) < 2e-3
    assert fitted.logits(features)[0].argmax(1).tolist() == [0, 1]


def test_a_dimension_that_never_changes_is_left_at_zero() -> None:
    features = torch.tensor([[1.0, 5.0], [3.0, 5.0]])
    scale = Scaled.of(features)
    assert scale(features).tolist() == [[-1.0, 0.0], [1.0, 0.0]]
    assert torch.isfinite(fit(scale(features), torch.tensor([0, 1]), 2, [0.1]).weights).all()


def test_a_stronger_penalty_gives_smaller_weights() -> None:
    weak, strong = fit(*made(), 3, (1e-3, 1.0)).weights
    assert strong.norm() < weak.norm() / 2

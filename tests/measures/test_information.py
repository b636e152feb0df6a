"""Entropy and divergences against values worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch

from headscope.measures.information import (
    divergence_slope,
    divergences,
    entropy,
    jensen_shannon,
    total_variation,
)


def test_entropy_by_hand() -> None:
    rows = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.25] * 4, [0.5, 0.25, 0.25, 0.0]])
    ln2 = math.log(2)
    assert entropy(rows).tolist() == pytest.approx([0, ln2, 2 * ln2, 1.5 * ln2])


@pytest.mark.parametrize(("size", "expected"), [(5, 0.423), (20, 0.593), (100, 0.665)])
def test_jensen_shannon_of_one_key_and_even_attention(size: int, expected: float) -> None:
    one = torch.zeros(size, dtype=torch.float64)
    one[0] = 1
    even = torch.full((size,), 1 / size, dtype=torch.float64)
    assert jensen_shannon(one, even).item() == pytest.approx(expected, abs=5e-4)
    # By hand: the mixture holds (1 + 1/n) / 2 once and 1 / 2n the other n - 1 times.
    high, low = (1 + 1 / size) / 2, 1 / (2 * size)
    mixed = -high * math.log(high) - (size - 1) * low * math.log(low)
    assert jensen_shannon(one, even).item() == pytest.approx(mixed - math.log(size) / 2)


def test_jensen_shannon_is_the_mean_divergence_from_the_mixture() -> None:
    first, second = torch.tensor([0.7, 0.2, 0.1]).double(), torch.tensor([0.1, 0.1, 0.8]).double()
    middle = (first + second) / 2
    expected = sum((row * (row / middle).log()).sum() for row in (first, second)) / 2
    assert jensen_shannon(first, second).item() == pytest.approx(expected.item())
    assert jensen_shannon(second, first).item() == pytest.approx(expected.item())


def test_divergences_sum_over_queries_for_every_pair() -> None:
    maps = torch.zeros(3, 2, 2)
    maps[0] = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    maps[1] = torch.tensor([[0.0, 1.0], [1.0, 0.0]])  # unlike head 0 in the first row only
    maps[2] = torch.tensor([[0.0, 1.0], [0.0, 1.0]])  # unlike head 0 in both
    ln2 = math.log(2)
    expected = torch.tensor([[0, ln2, 2 * ln2], [ln2, 0, ln2], [2 * ln2, ln2, 0]]).double()
    for block in (1, 2, 4):
        assert torch.allclose(divergences(maps, block), expected)


def test_the_slope_of_a_divergence_is_its_derivative() -> None:
    first = torch.tensor([0.6, 0.3, 0.1]).double().requires_grad_()
    second = torch.tensor([0.2, 0.5, 0.3]).double()
    (expected,) = torch.autograd.grad(jensen_shannon(first, second), first)
    # A step that keeps the sum: what is the same for all keys does not count.
    found = divergence_slope(first.detach(), second)
    assert torch.allclose(found - found.mean(), expected - expected.mean())
    assert divergence_slope(torch.zeros(2), torch.tensor([0.0, 1.0])).isfinite().all()


def test_total_variation_by_hand() -> None:
    """|.5 - .2| + |.3 - .3| + |.2 - .5| = .6, of which half counts; of two classes the difference of one."""
    first, second = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.3, 0.5])
    assert total_variation(first, second).item() == pytest.approx(0.3)
    assert total_variation(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])).item() == 1

"""Speeds and slow points of states whose motion is known, and rank correlations by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.measures.slowness import rank_correlation, slow_points, speeds

DRIFT = torch.tensor([0.3, -0.4])


def drifting(states: torch.Tensor) -> torch.Tensor:
    """A state that holds what it has, and drifts by 0.5 in every step."""
    return states + DRIFT


def linear(states: torch.Tensor) -> torch.Tensor:
    """A = diag(0.9, 0.5), b = (0.1, 1): rests at (1, 2); from (3, 6) it moves by (-0.2, -2)."""
    return states * torch.tensor([0.9, 0.5]) + torch.tensor([0.1, 1.0])


def test_a_constant_drift_is_the_speed_everywhere() -> None:
    states = torch.tensor([[0.0, 0.0], [5.0, -7.0], [1e3, 2.0]])
    assert torch.allclose(speeds(drifting, states), torch.full((3,), 0.5), atol=1e-4)


def test_nothing_is_slower_than_a_constant_drift() -> None:
    states = torch.tensor([[0.0, 0.0], [0.5, -0.5]])
    points = slow_points(drifting, states, steps=20)
    assert torch.allclose(speeds(drifting, points), torch.full((2,), 0.5), atol=1e-5)


def test_a_linear_state_by_hand() -> None:
    """(A - I) s + b, of (3, 6): (-0.2, -2), so sqrt(4.04)."""
    states = torch.tensor([[1.0, 2.0], [3.0, 6.0]])
    assert speeds(linear, states).tolist() == pytest.approx([0.0, 4.04**0.5], abs=1e-6)


def test_only_what_is_seen_counts() -> None:
    """Of (3, 6), the first number alone moves by 0.2; doubled, by 0.4."""
    states = torch.tensor([[3.0, 6.0]])
    assert speeds(linear, states, lambda one: 2 * one[:, :1]).item() == pytest.approx(0.4, abs=1e-5)


def test_the_descent_finds_the_point_of_rest() -> None:
    """From nearby; the second row never touches the first."""
    states = torch.tensor([[1.1, 2.1], [0.9, 1.8]])
    both = slow_points(linear, states, steps=120, rate=0.05)
    alone = slow_points(linear, states[:1], steps=120, rate=0.05)
    assert torch.allclose(both, torch.tensor([[1.0, 2.0], [1.0, 2.0]]), atol=0.03)
    assert torch.equal(both[:1], alone)


def test_a_slow_point_is_never_faster_than_where_it_began() -> None:
    generator = torch.Generator().manual_seed(0)
    weight = torch.randn(6, 6, generator=generator)
    states = torch.randn(12, 6, generator=generator)

    def step(states: torch.Tensor) -> torch.Tensor:
        return torch.tanh(states @ weight)

    points = slow_points(step, states, steps=15, rate=0.3)
    assert (speeds(step, points) <= speeds(step, states)).all()


def test_the_descent_stays_where_states_can_be() -> None:
    """It would rest at (1, 2), and ends at the nearest state whose numbers are at most 1.5: (1, 1.5), where
    (A - I) s + b is (0, 0.25)."""
    points = slow_points(
        linear, torch.tensor([[0.9, 1.4]]), steps=120, rate=0.05, nearest=lambda one: one.clamp(-1.5, 1.5)
    )
    assert points.tolist()[0] == pytest.approx([1.0, 1.5], abs=0.03)
    assert speeds(linear, points).item() == pytest.approx(0.25, abs=0.01)


def test_what_differs_between_groups_does_not_count_within_them() -> None:
    """Within either group the larger is paired with the larger; the second group is faster and worse."""
    first = np.array([1.0, 2, 3, 11, 12, 13])
    second = np.array([7.0, 8, 9, 1, 2, 3])
    group = np.array([0, 0, 0, 1, 1, 1])
    within, p = rank_correlation(first, second, group, seed=0)
    pooled, _ = rank_correlation(first, second, np.zeros(6), seed=0)
    assert within == 1.0 and pooled < 0
    assert p == pytest.approx(2 / 36, abs=0.01), "two of 3! x 3! orders are as far from 0"


def test_a_group_that_does_not_vary_says_nothing() -> None:
    """The second of two is all 1: what the first says is left, -1, and not -1 / sqrt(2)."""
    first = np.array([1.0, 2, 3, 4, 5, 6])
    second = np.array([3.0, 2, 1, 1, 1, 1])
    rho, p = rank_correlation(first, second, np.array([0, 0, 0, 1, 1, 1]), seed=0)
    assert rho == -1.0 and p == pytest.approx(2 / 6, abs=0.02)


def test_what_does_not_vary_has_no_correlation() -> None:
    values = np.ones(5)
    assert np.isnan(rank_correlation(values, np.arange(5.0), np.zeros(5), seed=0)).all()


def test_noise_is_rarely_found() -> None:
    random = np.random.default_rng(0)
    pairs = random.normal(size=(60, 2, 12))
    group = np.repeat([0, 1, 2], 4)
    found = [rank_correlation(one, other, group, seed=0, draws=199)[1] < 0.05 for one, other in pairs]
    assert sum(found) <= 8  # of 60, chance gives 3; more than 8 once in 200

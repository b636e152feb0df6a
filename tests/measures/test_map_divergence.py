"""Divergence of maps: worked out by hand, with its gradient, whatever stands behind the end of a text."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
import torch

from headscope.measures.information import jensen_shannon
from headscope.measures.map_divergence import (
    DIVERGENCES,
    Kind,
    jensen_shannon_with_slope,
    kullback_leibler,
    map_divergence,
    over_rows,
    pairs_apart,
)


def maps(seed: int, *shape: int) -> torch.Tensor:
    """Softmaxes of random scores."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).softmax(-1)


def test_divergences_by_hand() -> None:
    own, base = torch.tensor([0.5, 0.5, 0.0]), torch.tensor([0.25, 0.5, 0.25])
    assert kullback_leibler(own, base).item() == pytest.approx(0.5 * log(2))
    # The middle is (3/8, 1/2, 1/8).
    left = 0.5 * log(4 / 3) + 0.5 * log(1)
    right = 0.25 * log(2 / 3) + 0.5 * log(1) + 0.25 * log(2)
    assert jensen_shannon_with_slope(own, base).item() == pytest.approx((left + right) / 2)


def test_what_the_base_never_looks_at_costs_no_infinity() -> None:
    """The smallest float32 stands for 0: 87.3 nats."""
    found = kullback_leibler(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0]))
    assert found.item() == pytest.approx(-log(torch.finfo(torch.float32).tiny))


def test_the_smooth_divergence_is_the_known_one() -> None:
    own, base = maps(0, 5, 7), maps(1, 5, 7)
    assert torch.allclose(jensen_shannon_with_slope(own, base), jensen_shannon(own, base), atol=1e-12)


@pytest.mark.parametrize("kind", list(DIVERGENCES))
def test_the_gradient_equals_finite_differences(kind: Kind) -> None:
    """In float64, through a softmax over visible keys, with padding in both directions."""
    scores = torch.randn(2, 2, 3, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    visible = torch.tensor([[True] * 4, [True, True, False, False]])[:, None, None]
    real = torch.tensor([[True, True, True], [True, True, False]])
    base = maps(1, 2, 2, 3, 4) * visible
    base = base / base.sum(-1, keepdim=True)

    def apart(scores: torch.Tensor) -> torch.Tensor:
        own = scores.masked_fill(~visible, -torch.inf).softmax(-1)
        return map_divergence(own, base, real, kind)

    assert torch.autograd.gradcheck(apart, (scores.requires_grad_(),), eps=1e-6, atol=1e-7)


@pytest.mark.parametrize("kind", list(DIVERGENCES))
def test_weights_of_zero_have_a_gradient(kind: Kind) -> None:
    """Of a softmax so sharp that it is 0 in places, and of a base that is 0 elsewhere."""
    scores = torch.tensor([[[[200.0, 0.0, -200.0]]]], requires_grad=True)
    base = torch.tensor([[[[0.0, 0.0, 1.0]]]])
    map_divergence(scores.softmax(-1), base, torch.ones(1, 1, dtype=torch.bool), kind).sum().backward()
    assert scores.grad is not None and torch.isfinite(scores.grad).all()


@pytest.mark.parametrize("kind", list(DIVERGENCES))
def test_neither_padding_nor_the_batch_changes_anything(kind: Kind) -> None:
    own, base = (maps(seed, 3, 2, 4, 4).float() for seed in (0, 1))
    real = torch.ones(3, 4, dtype=torch.bool)
    together = map_divergence(own, base, real, kind)
    for row in range(3):
        alone = map_divergence(own[row, None], base[row, None], real[row, None], kind)
        torch.testing.assert_close(alone[0], together[row], rtol=0, atol=1e-6)
    wider = [torch.nn.functional.pad(each, (0, 3, 0, 3)) for each in (own, base)]
    wider[0][:, :, 4:] = 0.5  # what padding looks at must not count
    padded = map_divergence(*wider, torch.nn.functional.pad(real, (0, 3)), kind)
    torch.testing.assert_close(padded, together, rtol=0, atol=1e-6)


def test_rows_that_do_not_count_are_left_out() -> None:
    values = torch.tensor([[[1.0, 2.0, 30.0]], [[5.0, 6.0, 7.0]]])
    real = torch.tensor([[True, True, False], [False, False, False]])
    assert over_rows(values, real).tolist() == [[1.5], [0.0]]


def test_pairs_of_heads_by_hand() -> None:
    """Two heads of the base are the own ones in the other order."""
    first, second = [[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]
    own = torch.tensor([[first, second]])
    base = torch.tensor([[second, first]])
    found = pairs_apart(own, base, torch.ones(1, 2, dtype=torch.bool))
    half = log(2) / 2  # one row of two is wholly elsewhere
    np.testing.assert_allclose(found["jsd"][0], [[half, 0.0], [0.0, half]], atol=1e-7)
    np.testing.assert_allclose(found["top"][0], [[0.25, 0.75], [0.75, 0.25]])  # a tie of two is met half
    assert found["kl"][0].diagonal().min() > 40 and found["kl"][0, 0, 1].abs() < 1e-6


def test_pairs_are_what_single_heads_are() -> None:
    own, base, real = maps(0, 2, 3, 4, 4), maps(1, 2, 3, 4, 4), torch.ones(2, 4, dtype=torch.bool)
    found = pairs_apart(own, base, real)
    for name in ("jsd", "kl"):
        alone = map_divergence(own[:, 1, None], base[:, 2, None], real, name)
        torch.testing.assert_close(found[name][:, 1, 2], alone[:, 0])

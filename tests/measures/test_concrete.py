"""Hard-concrete gates against the values that their formulas give by hand."""

from __future__ import annotations

import pytest
import torch

from headscope.measures.concrete import chance_open, sample, settled_gate


def test_chance_of_an_open_gate() -> None:
    """sigmoid(0.33 ln 11) = 11^0.33 / (1 + 11^0.33) = 2.2065 / 3.2065."""
    assert chance_open(torch.tensor(0.0)).item() == pytest.approx(2.2065 / 3.2065, abs=1e-4)


def test_settled_gates() -> None:
    """1.2 sigmoid(x) - 0.1, clipped: it is 0 below sigmoid = 1/12, 1 above 11/12."""
    edge = torch.log(torch.tensor(11.0))
    assert settled_gate(torch.tensor([0.0])).item() == pytest.approx(0.5)
    assert settled_gate(torch.tensor([1.0])).item() == pytest.approx(1.2 * 0.731059 - 0.1, abs=1e-5)
    assert settled_gate(torch.stack([-edge - 0.01, edge + 0.01])).tolist() == [0.0, 1.0]


def test_random_gates_are_open_as_often_as_told() -> None:
    log_a = torch.zeros(200_000)
    gates = sample(log_a, torch.rand(200_000, generator=torch.Generator().manual_seed(0)))
    assert (gates > 0).double().mean().item() == pytest.approx(0.688, abs=0.004)
    assert (gates == 1).double().mean().item() == pytest.approx(0.312, abs=0.004)
    assert gates.min() == 0 and gates.max() == 1


def test_a_random_gate_by_hand() -> None:
    """log a = 0, noise 0.6: 1.2 sigmoid(ln(0.6 / 0.4) / 0.33) - 0.1, clipped to 1 for noise of 1."""
    gates = sample(torch.zeros(3), torch.tensor([0.5, 0.6, 1.0]))
    share = 1.5 ** (1 / 0.33) / (1 + 1.5 ** (1 / 0.33))
    assert gates.tolist() == pytest.approx([0.5, 1.2 * share - 0.1, 1.0], abs=1e-6)


def test_gradients_reach_the_parameter() -> None:
    log_a = torch.zeros(1000, requires_grad=True)
    sample(log_a, torch.rand(1000, generator=torch.Generator().manual_seed(1))).sum().backward()
    between = log_a.grad
    assert between is not None and bool((between >= 0).all()) and bool((between > 0).any())

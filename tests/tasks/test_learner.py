"""One step of training, worked out by hand."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from headscope.tasks.learner import DECAY, Learner


class Scorer(nn.Module):
    """Logits are a bias, plus a matrix times zeros: the matrix has a gradient of 0."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((2, 2), 4.0))
        self.bias = nn.Parameter(torch.zeros(2))
        self.unused = nn.Parameter(torch.ones(2, 2))
        self.still = nn.Parameter(torch.ones(3), requires_grad=False)

    def forward(self, input_ids: torch.Tensor) -> SimpleNamespace:
        return SimpleNamespace(logits=torch.zeros(len(input_ids), 2) @ self.weight + self.bias)


INPUTS = {"input_ids": torch.zeros(3, 1)}
LABELS = torch.tensor([1, 1, 1])


def test_a_step_moves_by_the_rate_and_decays_matrices_alone() -> None:
    module = Scorer()
    learner = Learner(module, rate=0.1, steps=1)
    loss = learner.learn(INPUTS, LABELS, step=0)
    assert loss.item() == pytest.approx(3 * torch.log(torch.tensor(2.0)).item())
    # The first step of Adam goes by the rate against the sign of the gradient, here (0.5, -0.5).
    assert module.bias.tolist() == pytest.approx([-0.1, 0.1], abs=1e-6)
    assert module.weight.unique().tolist() == pytest.approx([4 * (1 - 0.1 * DECAY)])
    assert module.still.tolist() == [1, 1, 1] and "still" not in learner.names
    assert module.unused.unique().tolist() == [1]  # what has no gradient is left alone


def test_long_gradients_are_cut_to_length_one() -> None:
    module = Scorer()
    learner = Learner(module, rate=0.1, steps=1)
    module.bias.register_hook(lambda gradient: 1000 * gradient)
    learner.learn(INPUTS, LABELS, step=0)
    first = learner.state()["exp_avg/bias"]
    assert (first**2).sum() ** 0.5 == pytest.approx(0.1, rel=1e-4)  # (1 - beta) times a gradient of length 1


def test_the_rate_rises_and_falls() -> None:
    learner = Learner(Scorer(), rate=2.0, steps=50)
    rates = [learner.rate_at(step) for step in range(50)]
    assert rates[:4] == pytest.approx([2 / 3, 4 / 3, 2.0, 2.0]) and max(rates) == 2.0
    assert rates[-1] == pytest.approx(2 / 47)
    assert all(one > other for one, other in pairwise(rates[3:]))


def test_a_state_is_taken_up_to_the_same_bits() -> None:
    whole, first, second = Scorer(), Scorer(), Scorer()
    for module, steps in ((whole, range(6)), (first, range(3))):
        learner = Learner(module, 0.1, 6)
        for step in steps:
            learner.learn(INPUTS, LABELS - int(step == 4), step)
    later = Learner(second, 0.1, 6)
    later.take(learner.state(), 3)
    for step in range(3, 6):
        later.learn(INPUTS, LABELS - int(step == 4), step)
    assert torch.equal(second.bias, whole.bias) and torch.equal(second.weight, whole.weight)
    assert not torch.equal(first.bias, whole.bias)

"""One step of training, worked out by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from headscope.results.shards import Part
from headscope.tasks.course import DECAY, Descent, Moment, Optimiser
from headscope.tasks.learner import Learner
from headscope.tasks.predictions import example_losses


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


Labels = torch.Tensor


def learner(module: Scorer, descent: Descent) -> Learner[Labels]:
    def losses(labels: Labels, step: int) -> torch.Tensor:
        return example_losses(module(torch.zeros(len(labels), 1)).logits, labels)

    return Learner(dict(module.named_parameters()), losses, descent)


ONES = torch.tensor([1, 1, 1])
ONLY = Moment(0, 0, 1, 1)


def test_a_step_moves_by_the_rate_and_decays_matrices_alone() -> None:
    module = Scorer()
    one = learner(module, Descent(0.1))
    losses = one.learn(ONES, ONLY)
    assert losses.tolist() == pytest.approx(3 * [torch.log(torch.tensor(2.0)).item()])
    assert not losses.requires_grad
    # The first step of Adam goes by the rate against the sign of the gradient, here (0.5, -0.5).
    assert module.bias.tolist() == pytest.approx([-0.1, 0.1], abs=1e-6)
    assert module.weight.unique().tolist() == pytest.approx([4 * (1 - 0.1 * DECAY)])
    assert module.still.tolist() == [1, 1, 1] and "still" not in one.weights
    assert module.unused.unique().tolist() == [1]  # what has no gradient is left alone


@pytest.mark.parametrize(
    ("optimiser", "moved"),
    [
        ("adam", 0.1),  # by the rate
        ("amsgrad", 0.1),  # as Adam, where the gradient is the largest so far
        # Zeiler's algorithm 1 with rho 0.9: 0.1 times sqrt(1e-6) / sqrt(0.1 * 0.5^2 + 1e-6) times 0.5.
        ("adadelta", 0.1 * 0.5e-3 / (0.025 + 1e-6) ** 0.5),
    ],
)
def test_the_first_step_of_each_optimiser(optimiser: Optimiser, moved: float) -> None:
    module = Scorer()
    learner(module, Descent(0.1, optimiser, "flat", decay=0.0)).learn(ONES, ONLY)
    assert module.bias.tolist() == pytest.approx([-moved, moved], rel=1e-4)
    assert module.weight.unique().tolist() == [4]


def test_amsgrad_remembers_the_largest_gradient() -> None:
    """Gradients 10, 1, 0: the second moment grows to 0.001 * (0.999 * 100 + 1), falls, and is remembered."""
    weight = torch.zeros(1, requires_grad=True)
    one = Learner(
        {"w": weight}, lambda slope, step: weight * slope, Descent(0.1, "amsgrad", "flat", clip=None)
    )
    for slope in (10.0, 1.0, 0.0):
        one.learn(torch.tensor([slope]), ONLY)
    state = one.state()
    assert state["max_exp_avg_sq/w"] > state["exp_avg_sq/w"]
    assert state["max_exp_avg_sq/w"].item() == pytest.approx(0.1 * 0.999 + 0.001, rel=1e-5)


def test_long_gradients_are_cut_to_length_one_or_left_alone() -> None:
    for clip, length in ((1.0, 1.0), (None, 1000 * 0.5**0.5)):
        module = Scorer()
        one = learner(module, Descent(0.1, clip=clip))
        module.bias.register_hook(lambda gradient: 1000 * gradient)
        one.learn(ONES, ONLY)
        first = one.state()["exp_avg/bias"]  # 1 - beta = 0.1 times the gradient
        assert (first**2).sum() ** 0.5 == pytest.approx(0.1 * length, rel=1e-4)


def test_a_batch_without_an_example_has_no_gradient() -> None:
    weight = torch.ones(2, requires_grad=True)
    one = Learner({"w": weight}, lambda batch, step: batch * weight.sum(), Descent(0.1))
    assert one.learn(torch.zeros(0), ONLY).shape == (0,)
    assert weight.tolist() == [1, 1]


def test_what_else_the_loss_is_made_of_stays_as_it_is() -> None:
    """Two models: one is to answer like the other and to have large weights."""
    base, fresh = nn.Linear(2, 2), nn.Linear(2, 2)
    before = {name: weight.clone() for name, weight in base.named_parameters()}

    def losses(texts: torch.Tensor, step: int) -> torch.Tensor:
        return (fresh(texts) - base(texts)).abs().sum(-1) - 0.1 * fresh.weight.norm()

    one = Learner(dict(fresh.named_parameters()), losses, Descent(0.1, "adam", "flat"))
    texts = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    first = one.learn(texts, ONLY).mean()
    for _ in range(5):
        last = one.learn(texts, ONLY).mean()
    assert last < first
    assert all(torch.equal(before[name], weight) for name, weight in base.named_parameters())
    assert all(weight.grad is None for weight in base.parameters())


@pytest.mark.parametrize("optimiser", ["adamw", "adam", "amsgrad", "adadelta"])
def test_a_state_is_taken_up_to_the_same_bits(optimiser: Optimiser, tmp_path: Path) -> None:
    """Also from disk."""
    whole, first, second = Scorer(), Scorer(), Scorer()
    descent, part = Descent(0.1, optimiser), Part(tmp_path)
    for module, steps in ((whole, range(6)), (first, range(3))):
        one = learner(module, descent)
        for step in steps:
            one.learn(ONES - int(step == 4), Moment(step, 0, 1, 6))
    part.write(0, one.state(), {})
    state = part.read(0)
    assert state is not None
    later = learner(second, descent)
    later.take(state[0])
    for step in range(3, 6):
        later.learn(ONES - int(step == 4), Moment(step, 0, 1, 6))
    assert torch.equal(second.bias, whole.bias) and torch.equal(second.weight, whole.weight)
    assert not torch.equal(first.bias, whole.bias)

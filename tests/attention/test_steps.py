"""Attention that is made step by step is heard and edited as if it were made at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn

from headscope.attention import (
    Ablate,
    Edit,
    Erase,
    Freeze,
    Gate,
    Heard,
    Permute,
    Recorder,
    RowBlocks,
    Rows,
    Site,
    Uniform,
    attach,
    attend,
    find_sites,
)

HEADS = ["cross:L0H0", "cross:L0H1"]
QUERIES, KEYS = 3, 4
VISIBLE = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]], dtype=torch.bool)[:, None, None, :]


class Looks(nn.Module):
    """Two heads whose weights come from the queries, all at once or row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.site = Site("cross", 0, 2, masked=True)
        self.stepwise = False

    def forward(self, scores: torch.Tensor, value: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """Scores (batch, head, query, key), value (batch, head, key, dim) to (batch, query, head, dim)."""
        weights = torch.softmax(scores.masked_fill(~visible, -1e9), -1) * visible
        if not self.stepwise:
            return attend(self, weights, value, visible.expand(-1, -1, scores.shape[2], -1))
        rows = [
            attend(self, weights[:, :, row : row + 1], value, visible, rows=Rows(row, scores.shape[2]))
            for row in range(scores.shape[2])
        ]
        return torch.cat(rows, 1)


class Model(nn.Module):
    """Holds it, as a model does."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = Looks()

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        draw = torch.Generator().manual_seed(3)
        scores = torch.randn(2, 2, QUERIES, KEYS, generator=draw)
        value = torch.randn(2, 2, KEYS, 5, generator=draw)
        return self.looks(scores, value, VISIBLE)


IDS = torch.zeros(2, KEYS, dtype=torch.long)


@pytest.fixture
def models() -> tuple[Model, Model]:
    """At once, and step by step."""
    whole, steps = Model().eval(), Model().eval()
    steps.looks.stepwise = True
    return whole, steps


def test_all_steps_are_one_site_and_one_map(models: tuple[Model, Model]) -> None:
    heard = []
    for model in models:
        sites, recorder = find_sites(model, {"input_ids": IDS}), Recorder()
        assert [(site.stack, site.layer, site.heads) for site in sites.sites] == [("cross", 0, 2)]
        with attach(model, sites, [recorder]):
            model(IDS)
            model(IDS)
        (maps,) = recorder.maps.values()
        assert [each.shape for each in maps] == [(2, 2, QUERIES, KEYS)] * 2, "two passes, two maps"
        heard.append(maps[1])
    assert torch.equal(*heard)


def edits() -> dict[str, Callable[[], Edit]]:
    given = torch.rand(2, QUERIES, KEYS, generator=torch.Generator().manual_seed(1))
    return {
        "uniform": lambda: Uniform(HEADS),
        "permute": lambda: Permute(HEADS[1:], seed=4),
        "freeze": lambda: Freeze({HEADS[1]: given}),
        "erase": lambda: Erase(HEADS, torch.tensor([True, False, False, False])),
        "ablate": lambda: Ablate(HEADS[:1]),
        "gate": lambda: Gate(HEADS),
    }


@pytest.mark.parametrize("name", list(edits()))
def test_edits_reach_every_row(models: tuple[Model, Model], name: str) -> None:
    made = []
    for model in models:
        with attach(model, find_sites(model, {"input_ids": IDS}), edits=[edits()[name]()]):
            made.append(model(IDS))
    assert torch.allclose(*made, atol=1e-6)
    assert name == "gate" or not torch.allclose(made[0], models[0](IDS), atol=1e-3)


def test_a_gate_has_a_gradient_for_every_row(models: tuple[Model, Model]) -> None:
    gradients = []
    for model in models:
        gate = Gate(HEADS)
        with attach(model, find_sites(model, {"input_ids": IDS}), edits=[gate]):
            total = (model(IDS) ** 2).sum()
        (leaf,) = gate.gates.values()
        assert leaf.shape == (2, QUERIES, 2)
        gradients.append(torch.autograd.grad(total, leaf)[0])
    assert torch.allclose(*gradients, atol=1e-6) and gradients[0].abs().min() > 0


class Last:
    """Keeps the weights of the last map that it hears."""

    needs = "map"
    weights = torch.empty(0)

    def hear(self, heard: Heard) -> None:
        self.weights = heard.weights


def test_a_map_of_steps_has_the_gradient_of_a_whole_one(models: tuple[Model, Model]) -> None:
    slopes = []
    for model in models:
        plain = model(IDS)
        last = Last()
        with attach(model, find_sites(model, {"input_ids": IDS}), [last], gradients=True):
            output = model(IDS)
            assert torch.equal(output, plain), "not a bit differs"
            slopes.append(torch.autograd.grad((output**2).sum(), last.weights)[0])
    assert torch.allclose(*slopes, atol=1e-6)


def test_some_rows_stand_for_all(models: tuple[Model, Model]) -> None:
    class Counting:
        needs = "rows"
        rows: tuple[int, ...] = ()

        def hear(self, heard: Heard) -> None:
            self.rows = tuple(heard.rows.tolist())
            assert heard.weights.shape[2] == len(self.rows) == heard.visible.shape[2]

    for model in models:
        counting = Counting()
        with attach(model, find_sites(model, {"input_ids": IDS}), [counting], blocks=RowBlocks(rows=2)):
            model(IDS)
        assert len(counting.rows) == 2

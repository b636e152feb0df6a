"""Loading a model, refused or not, leaves all of it as it was: also what a family changes when it runs."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
import torch
from torch import nn

from headscope.attention import Recorder
from headscope.attention.unchanged import unchanged
from headscope.errors import ModelError
from headscope.models import load
from tests.families import FAMILIES, ODD, build, inputs_for, small_tokenizer

LONG = 40
"""Pieces: above what BigBird here takes for short, and a multiple of its blocks and of Reformer's chunks."""


def state_of(model: nn.Module) -> dict[str, Any]:
    """Everything that tells how a model computes, in plain values."""
    configs = {
        f"{name}.{kind}": getattr(module, kind).to_dict()
        for name, module in model.named_modules()
        for kind in ("config", "generation_config")
        if hasattr(getattr(module, kind, None), "to_dict")
    }
    return {
        "parts": [(name, type(module), module.training) for name, module in model.named_modules()],
        "attributes": [
            {
                key: value
                for key, value in vars(module).items()
                if isinstance(value, int | float | str | tuple)
            }
            for module in model.modules()
        ],
        "hooks": [(len(module._forward_hooks), len(module._forward_pre_hooks)) for module in model.modules()],
        "kernels": [
            getattr(getattr(module, "config", None), "_attn_implementation", None)
            for module in model.modules()
        ],
        "configurations": repr(configs),
        "tensors": {
            name: tensor.tolist() for name, tensor in (*model.named_parameters(), *model.named_buffers())
        },
    }


def outputs_of(model: nn.Module, family: str) -> torch.Tensor:
    """On a long text, which must not change the model, either."""
    torch.manual_seed(0)
    with torch.no_grad(), unchanged(model):
        outputs = model(**inputs_for(family, batch=1, length=LONG))
    return next(item for item in outputs.to_tuple() if isinstance(item, torch.Tensor))


@pytest.mark.parametrize("family", [*FAMILIES, *ODD])
def test_loading_leaves_a_model_as_it_was(family: str) -> None:
    model = build(family)
    state, outputs = state_of(model), outputs_of(model, family)
    with suppress(ModelError):
        load(model, small_tokenizer())
    assert state_of(model) == state
    assert torch.equal(outputs_of(model, family), outputs)


def test_a_model_in_training_stays_in_training() -> None:
    model = build("big_bird").train()
    model.encoder.layer[0].eval()
    state = state_of(model)
    load(model, small_tokenizer())
    assert state_of(model) == state


@pytest.mark.parametrize("length", [6, LONG])
def test_listening_to_bigbird_leaves_it_as_it_was(length: int) -> None:
    module = build("big_bird")
    model = load(module, small_tokenizer())
    state, long_text = state_of(module), outputs_of(module, "big_bird")
    inputs, recorder = inputs_for("big_bird", batch=2, length=length), Recorder()
    with torch.no_grad():
        with model.attached([recorder]) as attached:
            found = attached(**inputs).last_hidden_state
        with unchanged(module):
            assert torch.equal(found, module(**inputs).last_hidden_state)
    assert {maps[0].shape[1:] for maps in recorder.maps.values()} == {(4, length, length)}
    assert state_of(module) == state
    assert torch.equal(outputs_of(module, "big_bird"), long_text)


def test_what_is_written_into_a_buffer_is_put_back() -> None:
    model = nn.BatchNorm1d(2)
    before = {name: buffer.clone() for name, buffer in model.named_buffers()}
    with unchanged(model) as kept:
        model(torch.rand(4, 2))
        model.eps, model.extra = 0.5, [1]
        assert kept.differs()
    assert all(torch.equal(buffer, before[name]) for name, buffer in model.named_buffers())
    assert model.eps == 1e-5 and not hasattr(model, "extra")

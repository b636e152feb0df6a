"""A head can be given by its name wherever a head is; without a stack it is one of the model's first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from headscope.attention import Ablate, Freeze
from headscope.errors import OptionError
from headscope.heads import Head
from headscope.models import Model, load
from tests.families import build, small_tokenizer


@pytest.fixture
def tiny() -> Callable[[str], Model]:
    """A tiny model of a family, with a tokenizer that it does not need here."""
    return lambda family: load(build(family), tokenizer=small_tokenizer())


def outputs(model: Model, edit: Ablate | Freeze) -> torch.Tensor:
    inputs = {"input_ids": torch.arange(5, 11)[None]}
    if model.shape == "encoder-decoder":
        inputs["decoder_input_ids"] = torch.arange(5, 8)[None]
    with torch.no_grad(), model.attached(edits=[edit]) as module:
        return module(**inputs)[0]


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5"])
def test_a_name_is_the_head_of_the_first_stack(family: str, tiny) -> None:
    model = tiny(family)
    head = Head(model.stacks()[0], 1, 0)
    assert model.head("L1H0") == head
    assert torch.equal(outputs(model, Ablate(["L1H0"])), outputs(model, Ablate([head])))
    size = 6
    even = torch.full((size, size), 1 / size)
    assert torch.equal(outputs(model, Freeze({"L1H0": even})), outputs(model, Freeze({head: even})))


def test_a_name_may_tell_its_stack(tiny) -> None:
    model = tiny("t5")
    assert model.head("cross:L0H1") == Head("cross", 0, 1)
    assert not torch.equal(outputs(model, Ablate(["cross:L0H1"])), outputs(model, Ablate(["L0H1"])))


def test_what_is_no_head_is_refused(tiny) -> None:
    with pytest.raises(OptionError, match="'L1' is not a head; write L3H7"):
        Ablate(["L1"])
    with pytest.raises(OptionError, match="the model has no head L9H0 in its decoder"):
        outputs(tiny("gpt2"), Ablate(["L9H0"]))


def test_a_model_prints_as_one_line(tiny) -> None:
    assert repr(tiny("t5")).endswith(
        "T5ForConditionalGeneration, encoder: 2 layers, decoder: 2 layers, cross: 2 layers, 24 heads)"
    )

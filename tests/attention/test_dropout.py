"""Dropout in training: listeners hear the weights before it, the output is made after it."""

from __future__ import annotations

import pytest
import torch

from headscope.attention import Heard, Recorder, attach, find_sites
from headscope.errors import ModelError
from headscope.heads import Head
from tests.families import build, inputs_for


class Values(Recorder):
    """Also keeps what each head would have handed on without dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.outputs: list[torch.Tensor] = []

    def hear(self, heard: Heard) -> None:
        super().hear(heard)
        self.outputs.append(heard.outputs.detach())


@pytest.mark.parametrize("family", ["bert", "gpt2", "bart"])
def test_listeners_hear_rows_that_sum_to_one_and_the_output_is_dropped(family: str) -> None:
    model = build(family)
    for module in model.modules():
        for name in ("attn_dropout", "dropout"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.5)
            elif (
                isinstance(getattr(module, name, None), torch.nn.Dropout)
                and "ttention" in type(module).__name__
            ):
                getattr(module, name).p = 0.5
    sites = find_sites(model, inputs_for(family))
    inputs = inputs_for(family, batch=1)
    projection = {
        "bert": "encoder.layer.0.attention.output.dense",
        "gpt2": "transformer.h.0.attn.c_proj",
        "bart": "model.encoder.layers.0.self_attn.out_proj",
    }[family]
    entered: list[torch.Tensor] = []
    model.get_submodule(projection).register_forward_pre_hook(lambda _, given: entered.append(given[0]))
    model.train()
    values = Values()
    with torch.no_grad(), attach(model, sites, [values]):
        model(**inputs)
        model(**inputs)
    for maps in values.maps.values():
        assert torch.allclose(maps[0].sum(-1), torch.ones(maps[0].shape[:-1]), atol=1e-6)
    undropped = values.outputs[0].flatten(2)
    assert not torch.allclose(entered[0], undropped, atol=1e-3)
    assert not torch.allclose(entered[0], entered[1], atol=1e-3), "dropout draws anew in each pass"


def test_the_dropped_output_is_weights_kept_and_doubled_times_values() -> None:
    """With a value of ones, a head's output is the sum of its kept weights over one minus the rate."""
    model = build("bert").train()
    attention = model.encoder.layer[0].attention.self
    attention.dropout.p = 0.5
    with torch.no_grad():
        attention.value.weight.zero_()
        attention.value.bias.fill_(1.0)
    entered: list[torch.Tensor] = []
    model.encoder.layer[0].attention.output.dense.register_forward_pre_hook(
        lambda _, given: entered.append(given[0])
    )
    inputs = inputs_for("bert", batch=1)
    recorder = Recorder()
    with torch.no_grad(), attach(model, find_sites(model, inputs), [recorder]):
        entered.clear()
        model(**inputs)
    weights = recorder.maps[next(iter(recorder.maps))][0][0]  # (head, query, key)
    heads = entered[0][0].unflatten(-1, (4, 4))  # (query, head, dim)
    subsets = torch.cartesian_prod(*[torch.tensor([0.0, 2.0])] * 9)  # every way to drop nine keys
    possible = torch.einsum("hqk,sk->qhs", weights, subsets)
    nearest = (heads[..., :1] - possible).abs().amin(-1)
    assert nearest.max() < 1e-5
    assert not torch.allclose(heads[..., 0], torch.ones(9, 4), atol=0.05)


def test_in_evaluation_nothing_is_dropped() -> None:
    model, inputs = build("bert"), inputs_for("bert")
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.9
    with torch.no_grad(), attach(model, find_sites(model, inputs), [Recorder()]):
        assert torch.equal(model(**inputs)[0], model(**inputs)[0])


def test_families_that_show_maps_after_dropout_refuse_in_training() -> None:
    model, inputs = build("mpnet"), inputs_for("mpnet")
    sites = find_sites(model, inputs)
    model.train()
    with (
        pytest.raises(ModelError, match=r"after dropout; call model.eval\(\) first"),
        attach(model, sites, [Recorder()]),
    ):
        model(**inputs)
    assert Head("encoder", 0, 0) in list(sites.sites[0])

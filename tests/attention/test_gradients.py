"""Gradients with respect to attention weights, against finite differences in float64."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import transformers as tf
from torch import nn
from torch.nn.functional import cross_entropy

from headscope.attention import Recorder, Replace, Site, Sites, attach, find_sites
from headscope.errors import ModelError
from headscope.heads import Head
from tests.families import build

SIZES = {
    "vocab_size": 30,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 20,
}


def masked() -> nn.Module:
    return _widened(tf.BertForMaskedLM(tf.BertConfig(**SIZES)))


def llama() -> nn.Module:
    return _widened(tf.LlamaForCausalLM(tf.LlamaConfig(**SIZES, num_key_value_heads=2)))


def gpt2() -> nn.Module:
    return _widened(tf.GPT2LMHeadModel(tf.GPT2Config(vocab_size=30, n_embd=16, n_layer=2, n_head=4)))


def _widened(model: nn.Module) -> nn.Module:
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=generator) * 0.3
            parameter.copy_(noise if parameter.ndim > 1 else noise + 1)
    return model.double().eval()


def batch(rows: int = 3, length: int = 7) -> dict[str, torch.Tensor]:
    ids = torch.randint(0, 30, (rows, length), generator=torch.Generator().manual_seed(5))
    mask = torch.ones_like(ids)
    mask[1:, length - 2 :] = 0
    return {"input_ids": ids, "attention_mask": mask}


def loss(model: nn.Module, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    """Sum over examples of the mean cross entropy of the pieces, padding left out."""
    logits = model(**inputs).logits
    each = cross_entropy(logits.transpose(1, 2), inputs["input_ids"].roll(-1, 1), reduction="none")
    real = inputs["attention_mask"]
    return ((each * real).sum(1) / real.sum(1)).sum()


def gradients(model: nn.Module, sites: Sites, inputs: dict[str, torch.Tensor]) -> dict[Site, torch.Tensor]:
    recorder = Recorder(gradient=True)
    with attach(model, sites, [recorder], gradients=True):
        total = loss(model, inputs)
    maps = {site: found[0] for site, found in recorder.maps.items()}
    return dict(zip(maps, torch.autograd.grad(total, list(maps.values())), strict=True))


def measured(
    model: nn.Module, sites: Sites, inputs: dict[str, torch.Tensor], head: Head, where: tuple[int, int, int]
) -> float:
    """Central difference of the loss when one weight is moved by a hair."""

    def moved(by: float) -> float:
        def change(weights: torch.Tensor, heard: object) -> torch.Tensor:
            weights = weights.clone()
            weights[where[0], 0, where[1], where[2]] += by
            return weights

        with torch.no_grad(), attach(model, sites, edits=[Replace([head], change)]):
            return float(loss(model, inputs))

    return (moved(1e-5) - moved(-1e-5)) / 2e-5


# Llama rounds to float32 inside its norms and its softmax, too coarse for differences of 1e-4.
@pytest.mark.parametrize("make", [masked, gpt2])
def test_gradients_are_those_of_finite_differences(make: Callable[[], nn.Module]) -> None:
    model, inputs = make(), batch()
    sites = find_sites(model, inputs)
    found = gradients(model, sites, inputs)
    places = [(0, 6, 0), (0, 2, 1), (1, 4, 4), (2, 3, 2)]
    checked = 0
    for site, gradient in found.items():
        for head in (Head(site.stack, site.layer, 0), Head(site.stack, site.layer, 3)):
            for where in places:
                expected = measured(model, sites, inputs, head, where)
                value = float(gradient[where[0], head.index, where[1], where[2]])
                assert value == pytest.approx(expected, rel=1e-4, abs=1e-9)
                checked += abs(expected) > 1e-6
    assert checked > 10, "most of the weights tried must matter"


@pytest.mark.parametrize("make", [masked, llama, gpt2])
def test_gradients_of_an_example_do_not_depend_on_its_batch(make: Callable[[], nn.Module]) -> None:
    model, inputs = make(), batch()
    sites = find_sites(model, inputs)
    together = gradients(model, sites, inputs)
    for number in range(3):
        alone = gradients(model, sites, {name: one[number : number + 1] for name, one in inputs.items()})
        for site, gradient in alone.items():
            assert torch.allclose(gradient[0], together[site][number], rtol=1e-5, atol=1e-8)


def test_maps_take_part_in_the_graph_where_no_parameter_needs_a_gradient() -> None:
    model, inputs = masked().requires_grad_(False), batch()
    found = gradients(model, find_sites(model, inputs), inputs)
    assert all(gradient.abs().sum() > 0 for gradient in found.values())
    expected = gradients(trained := masked(), find_sites(trained, inputs), inputs)
    for site, gradient in found.items():
        assert torch.allclose(gradient, expected[site], rtol=1e-9, atol=1e-12)


def test_blocks_cannot_give_gradients() -> None:
    from headscope.attention import RowBlocks

    model, inputs = build("bert"), batch()
    with (
        pytest.raises(ModelError, match=r"need whole maps"),
        attach(model, find_sites(model, inputs), blocks=RowBlocks(), gradients=True),
    ):
        pass


def test_gradients_of_an_inner_attachment_end_with_it() -> None:
    model, inputs = masked().requires_grad_(False), batch()
    sites = find_sites(model, inputs)
    outer = Recorder(gradient=True)
    with attach(model, sites, [outer]):
        with attach(model, sites, gradients=True):
            loss(model, inputs)
        loss(model, inputs)
    for inside, after in outer.maps.values():
        assert inside.requires_grad and not after.requires_grad

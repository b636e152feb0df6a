"""Removing a head is what zeroing its slice before the output projection does, in every family."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import torch
from torch import nn

from headscope.attention import Ablate, Heard, Scale, Site, attach
from headscope.errors import OptionError
from headscope.heads import Head
from tests.attention.conftest import Case
from tests.families import BYPASSING

PROJECTIONS = {
    "bert": {"encoder": "encoder.layer.{}.attention.output.dense"},
    "roberta": {"encoder": "encoder.layer.{}.attention.output.dense"},
    "distilbert": {"encoder": "transformer.layer.{}.attention.out_lin"},
    "albert": {"encoder": "encoder.albert_layer_groups.0.albert_layers.0.attention.dense"},
    "electra": {"encoder": "encoder.layer.{}.attention.output.dense"},
    "modernbert": {"encoder": "layers.{}.attn.Wo"},
    "gpt2": {"decoder": "transformer.h.{}.attn.c_proj"},
    "llama": {"decoder": "model.layers.{}.self_attn.o_proj"},
    "qwen3": {"decoder": "model.layers.{}.self_attn.o_proj"},
    "gemma2": {"decoder": "model.layers.{}.self_attn.o_proj"},
    "gpt_neox": {"decoder": "gpt_neox.layers.{}.attention.dense"},
    "opt": {"decoder": "model.decoder.layers.{}.self_attn.out_proj"},
    "t5": {
        "encoder": "encoder.block.{}.layer.0.SelfAttention.o",
        "decoder": "decoder.block.{}.layer.0.SelfAttention.o",
        "cross": "decoder.block.{}.layer.1.EncDecAttention.o",
    },
    "bart": {
        "encoder": "model.encoder.layers.{}.self_attn.out_proj",
        "decoder": "model.decoder.layers.{}.self_attn.out_proj",
        "cross": "model.decoder.layers.{}.encoder_attn.out_proj",
    },
    "deberta_v2": {"encoder": "encoder.layer.{}.attention.output.dense"},
    "mpnet": {"encoder": "encoder.layer.{}.attention.attn.o"},
}
PROJECTIONS["marian"] = PROJECTIONS["bart"]

Change = Callable[[torch.Tensor], torch.Tensor]


def projection_of(case: Case, site: Site) -> tuple[nn.Module, int]:
    """The output projection of a site, and which of its calls in a pass belongs to the site."""
    module = case.model.get_submodule(PROJECTIONS[case.family][site.stack].format(site.layer))
    return module, site.layer if case.family == "albert" else 0


@contextmanager
def changed_slice(case: Case, head: Head, change: Change) -> Iterator[None]:
    """Change (batch, query, dim) of one head where it enters the output projection, with a hook."""
    site = case.site(head.stack, head.layer)
    module, wanted = projection_of(case, site)
    calls = 0

    def hook(_: nn.Module, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        nonlocal calls
        joined = given[0].clone()
        width = joined.shape[-1] // site.heads
        own = slice(head.index * width, (head.index + 1) * width)
        if calls == wanted:
            joined[..., own] = change(joined[..., own])
        calls += 1
        return (joined, *given[1:])

    handle = module.register_forward_pre_hook(hook)
    try:
        yield
    finally:
        handle.remove()


def heads_to_try(case: Case) -> list[Head]:
    """The first and the last head of each stack."""
    stacks = dict.fromkeys(site.stack for site in case.sites.sites)
    sites = {stack: [one for one in case.sites.sites if one.stack == stack] for stack in stacks}
    return [head for found in sites.values() for head in (next(iter(found[0])), list(found[-1])[-1])]


def check_same(case: Case, edit: Ablate | Scale, head: Head, change: Change) -> None:
    with changed_slice(case, head, change):
        expected = case.run()
    with attach(case.model, case.sites, edits=[edit]):
        found = case.run()
    for name in expected:
        assert torch.allclose(found[name], expected[name], atol=1e-5), (head, name)
    differs = [not torch.allclose(expected[name], case.outputs[name], atol=1e-3) for name in expected]
    assert any(differs), f"the reference changes nothing at {head}"


def test_ablating_is_zeroing_the_slice(case: Case) -> None:
    for head in heads_to_try(case):
        check_same(case, Ablate([head]), head, torch.zeros_like)


def test_scaling_is_scaling_the_slice(case: Case) -> None:
    gate = torch.tensor([0.5, 2.0, -1.0])
    for head in heads_to_try(case):
        check_same(case, Scale([head], gate), head, lambda own: own * gate[:, None, None])


def test_ablating_all_heads_of_a_layer_leaves_the_projection_its_bias(bert: Case) -> None:
    site = bert.site("encoder", 0)
    module, _ = projection_of(bert, site)
    made: list[torch.Tensor] = []
    handle = module.register_forward_hook(lambda _module, _given, result: made.append(result))
    with attach(bert.model, bert.sites, edits=[Ablate(list(site))]):
        bert.run()
    handle.remove()
    assert torch.equal(made[0], module.bias.expand_as(made[0]))


def heads_entering(case: Case, site: Site) -> torch.Tensor:
    """(batch, query, head, dim) as the output projection gets it."""
    module, wanted = projection_of(case, site)
    seen: list[torch.Tensor] = []
    handle = module.register_forward_pre_hook(lambda _module, given: seen.append(given[0]))
    model = case.model
    before = model.config._attn_implementation
    model.set_attn_implementation("eager")
    case.run()
    model.set_attn_implementation(before)
    handle.remove()
    return seen[wanted].unflatten(-1, (site.heads, -1))


class _Outputs:
    """Keeps what every head hands on, (batch, query, head, dim)."""

    needs = "map"

    def __init__(self) -> None:
        self.of: dict[Site, torch.Tensor] = {}

    def hear(self, heard: Heard) -> None:
        self.of[heard.site] = heard.outputs


def test_what_is_heard_of_a_head_is_what_the_projection_gets(shared: Case) -> None:
    outputs = _Outputs()
    with attach(shared.model, shared.sites, [outputs]):
        shared.run()
    assert outputs.of.keys() == set(shared.sites.sites)
    for site, heard in outputs.of.items():
        assert torch.allclose(heard, heads_entering(shared, site), atol=1e-6)


def test_mean_ablation_puts_the_mean_there(case: Case) -> None:
    for head in heads_to_try(case):
        width = heads_entering(case, case.site(head.stack, head.layer)).shape[-1]
        mean = torch.linspace(-1, 1, width, dtype=torch.float64)
        edit = Ablate([head], {head: mean})
        check_same(case, edit, head, lambda own, mean=mean: mean.float().expand_as(own))


@pytest.mark.parametrize("family", ["bert", "llama"])
def test_a_head_without_a_measured_mean_is_refused(family: str, request: pytest.FixtureRequest) -> None:
    case = request.getfixturevalue(family)
    stack = case.sites.sites[0].stack
    means = {Head(stack, 0, 0): torch.zeros(4)}
    Ablate(["L0H0"], means).check(case.sites.sites)
    with pytest.raises(OptionError, match=r"no mean output was measured for head L0H1"):
        Ablate(["L0H1"], means).check(case.sites.sites)


def test_every_family_is_covered() -> None:
    from tests.families import FAMILIES

    assert PROJECTIONS.keys() == FAMILIES.keys()
    assert FAMILIES.keys() >= BYPASSING

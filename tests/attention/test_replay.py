"""Replaying recorded layers gives the bits of a full pass, and computes only what lies above."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from headscope.attention import Ablate, Sites, attach, find_sites
from headscope.attention.replay import Replay
from headscope.heads import Head
from tests.families import FAMILIES, SEQUENCE_TO_SEQUENCE, build, inputs_for


def prepared(family: str) -> tuple[nn.Module, Sites, dict[str, torch.Tensor]]:
    module, inputs = build(family), inputs_for(family)
    counting = {name: tensor[:1] for name, tensor in inputs.items() if name != "attention_mask"}
    return module, find_sites(module, counting), inputs


def answer(module: nn.Module, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    outputs = module(**inputs)
    found: torch.Tensor = outputs.logits if "logits" in outputs else outputs.last_hidden_state
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_every_head_ablated_over_recorded_layers(family: str) -> None:
    module, sites, inputs = prepared(family)
    replay = Replay(module, sites)
    with torch.no_grad(), attach(module, sites):
        with replay.recording():
            answer(module, inputs)
        for site in sites.sites:
            head = Head(site.stack, site.layer, site.heads - 1)
            with attach(module, sites, edits=[Ablate([head])]):
                whole = answer(module, inputs)
                with replay.below([head]):
                    again = answer(module, inputs)
            assert torch.equal(whole, again)


@pytest.mark.parametrize("family", ["bert", "albert", "bart"])
def test_only_what_lies_above_is_computed(family: str) -> None:
    module, sites, inputs = prepared(family)
    replay = Replay(module, sites)
    calls: list[Any] = []
    with torch.no_grad(), attach(module, sites):
        with replay.recording():
            answer(module, inputs)
        for name, part in module.named_modules():
            if name.endswith(("dense", "ffn", "fc1")):
                part.register_forward_hook(lambda *given: calls.append(given[0]))
        answer(module, inputs)
        everything = len(calls)
        last = [site for site in sites.sites if site.stack == sites.sites[-1].stack][-1]
        calls.clear()
        with replay.below(list(last)):
            answer(module, inputs)
    assert 0 < len(calls) < everything
    layers = {"bert": 2, "albert": 2, "bart": 5}[family]
    outside = {"bert": 1, "albert": 0, "bart": 0}[family]  # the pooler's
    assert len(calls) - outside == (everything - outside) / layers


@pytest.mark.parametrize("family", ["albert", "t5", "deberta_v2"])
def test_the_module_is_left_as_it_was(family: str) -> None:
    module, sites, inputs = prepared(family)
    replay = Replay(module, sites)
    with torch.no_grad():
        before = answer(module, inputs)
        with attach(module, sites):
            with replay.recording():
                answer(module, inputs)
            last = Head(sites.sites[-1].stack, sites.sites[-1].layer, 0)
            with pytest.raises(RuntimeError, match="stop"), replay.below([last]):
                answer(module, inputs)
                raise RuntimeError("stop")
        assert torch.equal(answer(module, inputs), before)
    assert not any("forward" in part.__dict__ for part in module.modules())
    assert not any(part._forward_hooks for part in module.modules())


def test_what_was_recorded_is_not_changed_by_what_comes_behind() -> None:
    """A layer that adds to its input in place must not spoil the record."""
    module, sites, inputs = prepared("bert")
    replay = Replay(module, sites)
    with torch.no_grad(), attach(module, sites):
        with replay.recording():
            expected = answer(module, inputs)
        second = module.encoder.layer[1]  # type: ignore[index,union-attr]
        spoiling = second.register_forward_pre_hook(lambda part, given: (given[0].add_(1.0), *given[1:]))
        with replay.below([Head("encoder", 1, 0)]):
            answer(module, inputs)
        spoiling.remove()
        with replay.below([Head("encoder", 1, 0)]):
            assert torch.equal(answer(module, inputs), expected)


def test_encoders_before_decoders() -> None:
    """A change in the encoder computes the whole decoder; one in the cross-attention no encoder."""
    assert "bart" in SEQUENCE_TO_SEQUENCE
    module, sites, inputs = prepared("bart")
    replay = Replay(module, sites)
    with attach(module, sites), replay.recording(), torch.no_grad():
        answer(module, inputs)
    counts = {
        (site.stack, site.layer): sum(map(len, replay._recorded_below({(site.stack, site.layer)}).values()))
        for site in sites.sites
    }
    assert [counts["encoder", layer] for layer in range(2)] == [0, 1]
    assert [counts["decoder", layer] for layer in range(3)] == [2, 3, 4]
    assert [counts["cross", layer] for layer in range(3)] == [2, 3, 4]

"""Given attention: it is what a net looks with, whatever its own would be, for every text in every batch."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
import torch

from headscope.models import Model
from headscope.models.load import with_module
from headscope.questions.adversary.giving import Given, controls_of, drawn_maps, edit_of, edited, known_maps
from headscope.questions.adversary.hearing import Inputs, Listening
from headscope.questions.adversary.kinds import CONTROLS, EVEN, ITSELF, NONE, RANDOM
from tests.questions.adversary.made import KINDS, changed, known, longer, made


def logits(model: Model, edit: object, inputs: Inputs) -> torch.Tensor:
    with torch.no_grad(), edited(model, edit):  # type: ignore[arg-type]
        found: torch.Tensor = model.module(**inputs).logits
    return found


def other_of(model: Model) -> Model:
    other = with_module(model, deepcopy(model.module))
    changed(other)
    return other


@pytest.mark.parametrize("kind", KINDS)
def test_frozen_maps_are_used_and_queries_and_keys_get_no_gradient(kind: str, folder: Path) -> None:
    model, _, prepared = made(kind, folder)
    inputs, base = prepared[0].inputs, known(model, prepared)
    other = other_of(model)
    given = Given(base.sites, known_maps(base))
    instead = Given(base.sites, drawn_maps(0))
    own = logits(other, None, inputs)
    assert (logits(other, given, inputs) - own).abs().max() > 1e-3
    assert (logits(other, given, inputs) - logits(other, instead, inputs)).abs().max() > 1e-3
    real = inputs["attention_mask"].bool() if own.ndim == 3 else slice(None)
    same = logits(model, given, inputs)[real]
    torch.testing.assert_close(same, logits(model, None, inputs)[real], rtol=0, atol=1e-5)
    with edited(other, given):
        other.module(**inputs).logits.square().sum().backward()
    slopes = {name: weight.grad for name, weight in other.module.named_parameters()}
    looking = ("query", "key") if kind != "pooled" else ("attention.query", "attention.hidden")
    found = [slope for name, slope in slopes.items() if any(f"{part}." in name for part in looking)]
    assert found and all(slope is None or not slope.any() for slope in found)
    assert any(slope is not None and slope.any() for slope in slopes.values())


@pytest.mark.parametrize("kind", KINDS)
def test_maps_are_those_of_the_text_in_every_batch(kind: str, folder: Path) -> None:
    """Kept or computed anew, alone or beside others, with more padding."""
    model, _, prepared = made(kind, folder)
    inputs = prepared[1].inputs
    kept, anew = known(model, prepared), known(model, prepared, room=0)
    assert kept.keeps_maps and not anew.keeps_maps
    for site, maps in kept.maps(inputs).items():
        real = maps.sum(-1, keepdim=True) > 0  # rows of padding are not kept
        torch.testing.assert_close(anew.maps(inputs)[site] * real, maps, rtol=0, atol=1e-6)
        wider = kept.maps(longer(inputs, 2))[site]
        assert torch.equal(wider[:, :, : maps.shape[2], : maps.shape[3]], maps)
        row = {name: tensor[2, None] for name, tensor in inputs.items()}
        assert torch.equal(kept.maps(row)[site][0], maps[2])
    torch.testing.assert_close(kept.answers(inputs), anew.answers(inputs), rtol=0, atol=0)


@pytest.mark.parametrize("kind", KINDS)
def test_random_maps_depend_on_text_and_seed_alone(kind: str, folder: Path) -> None:
    model, _, prepared = made(kind, folder)
    sites, inputs = known(model, prepared).sites, prepared[0].inputs
    first = logits(model, Given(sites, drawn_maps(3)), inputs)
    row = {name: tensor[1, None] for name, tensor in inputs.items()}
    alone = logits(model, Given(sites, drawn_maps(3)), row)
    torch.testing.assert_close(alone[0], first[1], rtol=0, atol=1e-5)
    assert not torch.allclose(first, logits(model, Given(sites, drawn_maps(4)), inputs))


@pytest.mark.parametrize("control", CONTROLS)
def test_controls_look_as_they_say(control: str, folder: Path) -> None:
    model, _, prepared = made("bert", folder)
    sites, inputs = known(model, prepared).sites, prepared[0].inputs
    listening = Listening(model, sites)
    with torch.no_grad(), edited(model, edit_of(control, sites, 0)), listening.attached():
        model.module(**inputs)
    real = inputs["attention_mask"].bool()
    sizes = real.sum(1)
    for site in sites:
        maps = listening.heard[site].weights
        row, size = maps[0, 0, 0], int(sizes[0])
        if control == EVEN:
            assert row[:size].tolist() == pytest.approx([1 / size] * size)
        if control == ITSELF:
            assert maps[0, 0, :size, :size].tolist() == torch.eye(size).tolist()
        if control in (EVEN, RANDOM):
            assert maps.sum(-1)[real[:, None].expand_as(maps[..., 0])].sub(1).abs().max() < 1e-5
            assert maps.masked_select(~real[:, None, None].expand_as(maps)).abs().max() == 0
    if control == NONE:
        assert not torch.allclose(logits(model, edit_of(NONE, sites, 0), inputs), logits(model, None, inputs))


def test_a_text_that_looks_has_no_piece_of_its_own(folder: Path) -> None:
    model, _, prepared = made("pooled", folder)
    assert controls_of(known(model, prepared).sites) == [EVEN, RANDOM, NONE]


def test_nothing_stays_attached(folder: Path) -> None:
    model, _, prepared = made("tagger", folder)
    inputs, sites = prepared[0].inputs, known(model, prepared).sites
    before = logits(model, None, inputs)
    with pytest.raises(KeyError), edited(model, Given(sites, lambda inputs: {}["gone"])):
        model.module(**inputs)
    assert torch.equal(logits(model, None, inputs), before)

"""Sites are numbered by stack and layer, whatever a family calls its modules."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from headscope.attention import Recorder, Site, attach, find_sites
from headscope.attention.site import stack_of
from headscope.errors import ModelError
from headscope.heads import Head
from tests.attention.conftest import Case
from tests.families import build, inputs_for

SEQUENCE_TO_SEQUENCE = {
    # family: heads of encoder, decoder, cross; layers of encoder, decoder, cross
    "t5": ((4, 4, 4), (2, 2, 2)),
    "bart": ((4, 2, 2), (2, 3, 3)),
    "marian": ((4, 2, 2), (2, 3, 3)),
}


@pytest.mark.parametrize("family", SEQUENCE_TO_SEQUENCE)
def test_sequence_to_sequence_models_have_three_stacks(family: str) -> None:
    heads, layers = SEQUENCE_TO_SEQUENCE[family]
    model, inputs = build(family), inputs_for(family)  # 9 source and 6 target pieces
    sites = find_sites(model, inputs)
    expected = [
        Site(stack, layer, count, stack == "decoder")
        for stack, count, size in zip(("encoder", "decoder", "cross"), heads, layers, strict=True)
        for layer in range(size)
    ]
    assert [(s, s.heads, s.causal) for s in sites.sites] == [(s, s.heads, s.causal) for s in expected]
    recorder = Recorder()
    with torch.no_grad(), attach(model, sites, [recorder]):
        model(**inputs)
    lengths = {"encoder": (9, 9), "decoder": (6, 6), "cross": (6, 9)}
    shapes = {site: tuple(maps[0].shape) for site, maps in recorder.maps.items()}
    assert shapes == {site: (3, site.heads, *lengths[site.stack]) for site in expected}


def test_one_module_that_serves_all_layers_gives_a_site_per_layer(cases: dict) -> None:
    model, inputs = build("albert"), inputs_for("albert")
    sites = find_sites(model, inputs)
    assert len(sites.modules()) == 1
    assert [site.layer for site in sites.sites] == [0, 1]
    recorder = Recorder()
    with torch.no_grad(), attach(model, sites, [recorder]):
        model(**inputs)
        model(**inputs)
    first, second = (recorder.maps[site] for site in sites.sites)
    assert torch.equal(first[0], first[1]) and torch.equal(second[0], second[1])
    assert not torch.allclose(first[0], second[0], atol=1e-3)


def test_a_pass_cut_short_does_not_shift_the_layers_of_a_shared_module() -> None:
    model, inputs = build("albert"), inputs_for("albert")
    sites = find_sites(model, inputs)

    class Stumbling(Recorder):
        def hear(self, heard: object) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), torch.no_grad(), attach(model, sites, [Stumbling()]):
        model(**inputs)
    recorder = Recorder()
    with torch.no_grad(), attach(model, sites, [recorder]):
        expected = model(**inputs, output_attentions=True).attentions
    for site, own in zip(sites.sites, expected, strict=True):
        assert torch.equal(recorder.maps[site][0], own)


def test_counting_leaves_the_model_as_it_was() -> None:
    model = build("bert").train()
    model.encoder.layer[0].eval()
    modes = [module.training for module in model.modules()]
    find_sites(model, inputs_for("bert"))
    assert [module.training for module in model.modules()] == modes
    assert model.config._attn_implementation == "sdpa"


def test_a_site_lists_its_heads() -> None:
    assert list(Site("cross", 1, 2)) == [Head("cross", 1, 0), Head("cross", 1, 1)]


@pytest.mark.parametrize(
    ("shape", "source", "target", "expected"),
    [
        ((4, 9), 9, 4, ("cross", False)),
        ((9, 9), 9, 4, ("encoder", False)),
        ((4, 4), 9, 4, ("decoder", False)),
        ((9, 9), 9, None, ("encoder", False)),
    ],
)
def test_shapes_tell_the_stack(shape, source, target, expected) -> None:
    assert stack_of(torch.ones(1, 1, *shape), source, target) == expected


def test_an_empty_upper_triangle_tells_causality() -> None:
    triangle = torch.ones(1, 2, 5, 5).tril()
    assert stack_of(triangle, 5, None) == ("decoder", True)
    assert stack_of(triangle, 9, 5) == ("decoder", True)
    triangle[0, 1, 0, 4] = 1e-8
    assert stack_of(triangle, 5, None) == ("encoder", False)


def test_a_module_without_attention_is_refused() -> None:
    class Blind(nn.Module):
        def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
            return input_ids

    with pytest.raises(ModelError, match=r"Blind has no attention that headscope can hear"):
        find_sites(Blind(), {"input_ids": torch.ones(1, 3, dtype=torch.long)})


def test_families_are_told_apart_by_whether_they_use_the_shared_function(case: Case) -> None:
    from headscope.attention.bypass import BypassSites
    from tests.families import BYPASSING

    assert isinstance(case.sites, BypassSites) == (case.family in BYPASSING)

"""What heads hand on, and what surrounds an attention, as they are found in every family."""

from __future__ import annotations

import gc
import weakref
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
import torch

from headscope.errors import ModelError
from headscope.explainers import EXPLAINERS
from headscope.explainers.norms import mixed_output, why_no_blocks
from headscope.explainers.projecting import Projecting, why_no_vectors
from headscope.models.load import on_core
from tests.explainers.models import asked_of, made
from tests.families import build, small_tokenizer
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

SHARED = ("bert", "albert", "distilbert", "gpt2", "llama", "gpt_neox", "opt", "bart", "t5", "bart-classifier")
INSIDE = {"bert": True, "albert": True, "distilbert": True, "bart": True, "marian": True} | dict.fromkeys(
    ("gpt2", "llama", "opt", "t5", "qwen3", "modernbert"), False
)
"""Whether the norm that reads an attention's sum is part of its block."""


@pytest.mark.parametrize("name", sampled(SHARED, ("bert", "albert", "gpt2", "llama", "bart")))
def test_vectors_and_bias_sum_to_the_output_of_every_attention(name: str) -> None:
    """Also of attention to a source, of grouped values, and where one module serves several layers."""
    asked = asked_of(name)
    projecting = Projecting.of(asked.model)
    given: dict[Any, list[torch.Tensor]] = defaultdict(list)
    matrices = {found.output for found in projecting.projections.values()}
    handles = [
        matrix.register_forward_hook(lambda module, _, made: given[module].append(made))
        for matrix in matrices
    ]
    vars(asked).pop("hearing")
    hearing = asked.hearing
    for handle in handles:
        handle.remove()
    calls = {matrix: iter(outputs) for matrix, outputs in given.items()}
    for site in asked.model.sites.sites:
        output = projecting.projections[projecting.module_of(site)].output
        bias = getattr(output, "bias", None)
        found = mixed_output(hearing.maps[site], hearing.values[site], projecting.matrices(site))
        assert torch.allclose(found + (0 if bias is None else bias), next(calls[output]), atol=1e-5)


@pytest.mark.parametrize("family", sampled(INSIDE, ("bert", "llama", "bart")))
def test_the_norm_behind_an_attention_is_part_of_its_block_or_not(family: str) -> None:
    model = on_core(build(family), small_tokenizer(), family, "memory", None, [])
    projecting = Projecting.of(model)
    assert projecting.surroundings.keys() == projecting.projections.keys()
    assert {around.inside for around in projecting.surroundings.values()} == {INSIDE[family]}


@pytest.mark.parametrize(("family", "between"), [("gemma2", True), ("gpt_neox", False)])
def test_what_goes_past_is_found_where_no_norm_reads_the_sum(family: str, between: bool) -> None:
    """Gemma 2 has a norm between, GPT-NeoX adds what another path makes of the same vectors."""
    model = on_core(build(family), small_tokenizer(), family, "memory", None, [])
    projecting = Projecting.of(model)
    assert projecting.surroundings.keys() == projecting.projections.keys()
    assert all(
        around.past and not around.inside and (around.between is not None) == between
        for around in projecting.surroundings.values()
    )


def test_what_is_joined_in_another_way_is_refused() -> None:
    """A norm that reads something else than a sum shows nothing of what goes past."""
    model = made("llama")
    for layer in model.module.model.layers:
        layer.post_attention_layernorm.register_forward_pre_hook(lambda _, given: (given[0].sin(),))
        layer.input_layernorm.register_forward_pre_hook(lambda _, given: (given[0].cos(),))
    assert why_no_vectors(model) is None
    assert why_no_blocks(model) == "how what goes past its attention is joined with it is not known"


def test_a_frozen_model_is_watched_as_well() -> None:
    model = made("bert")
    model.module.requires_grad_(False)
    assert {around.inside for around in Projecting.of(model).surroundings.values()} == {True}


def test_a_model_is_freed_with_what_was_found_of_it() -> None:
    model = made("bert")
    assert Projecting.of(model).surroundings and Projecting.of(model) is Projecting.of(model)
    module = weakref.ref(model.module)
    del model
    gc.collect()
    assert module() is None


def test_a_model_whose_deciding_piece_is_not_found_says_so() -> None:
    """Occlusion works on it all the same."""
    asked = asked_of("mpnet")
    sites = asked.model.sites
    facts = replace(sites.facts, entangled=frozenset(sites.sites))
    asked.model.sites = replace(sites, facts=facts)
    vars(asked).pop("hearing")
    with pytest.raises(ModelError, match="at which piece mpnet decides cannot be found"):
        EXPLAINERS["attention"](asked)
    assert EXPLAINERS["occlusion"](asked).isfinite().any()

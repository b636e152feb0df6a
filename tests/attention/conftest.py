"""Every family once: its tiny model, its sites, and what its own eager attention gives."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import pytest
import torch
from torch import nn

from headscope.attention import Site, Sites, find_sites
from tests.families import BYPASSING, FAMILIES, SEQUENCE_TO_SEQUENCE, build, inputs_for
from tests.threads import one_thread  # noqa: F401

FIELDS = {"encoder": "encoder_attentions", "decoder": "decoder_attentions", "cross": "cross_attentions"}


@dataclass(frozen=True)
class Case:
    """A family's model with inputs, its eager outputs, and its eager maps by (stack, layer)."""

    family: str
    model: nn.Module
    sites: Sites
    inputs: dict[str, torch.Tensor]
    outputs: dict[str, torch.Tensor]
    maps: dict[tuple[str, int], torch.Tensor]

    def run(self, **options: object) -> dict[str, torch.Tensor]:
        """The model's outputs as it is now, without a graph."""
        with torch.no_grad():
            return tensors(self.model(**self.inputs, **options))

    def sites_of(self, model: nn.Module) -> Sites:
        """The sites of a copy of the model."""
        return find_sites(model, inputs_for(self.family, batch=1))

    def site(self, stack: str, layer: int) -> Site:
        return next(one for one in self.sites.sites if (one.stack, one.layer) == (stack, layer))


def tensors(outputs: object) -> dict[str, torch.Tensor]:
    """The tensors of a model's output, without caches and maps."""
    return {name: value for name, value in outputs.items() if isinstance(value, torch.Tensor)}


def own_maps(family: str, outputs: object) -> dict[tuple[str, int], torch.Tensor]:
    """What `output_attentions` shows, by stack and layer."""
    if family in SEQUENCE_TO_SEQUENCE:
        return {(s, n): one for s, name in FIELDS.items() for n, one in enumerate(outputs[name])}
    causal = family in {"gpt2", "llama", "qwen3", "gemma2", "gpt_neox", "opt"}
    return {("decoder" if causal else "encoder", n): one for n, one in enumerate(outputs["attentions"])}


def make_case(family: str, model: nn.Module | None = None) -> Case:
    """A case of a family; the eager reference runs on a copy of the model."""
    model = build(family) if model is None else model
    inputs = inputs_for(family)
    eager = deepcopy(model)
    eager.set_attn_implementation("eager")
    with torch.no_grad():
        outputs = eager(**inputs, output_attentions=True)
    sites = find_sites(model, inputs_for(family, batch=1))
    return Case(family, model, sites, inputs, tensors(outputs), own_maps(family, outputs))


def _once(cases: dict[str, Case], family: str) -> Case:
    if family not in cases:
        cases[family] = make_case(family)
    return cases[family]


@pytest.fixture(scope="session")
def cases() -> dict[str, Case]:
    """Cases made so far; none of the models may be changed."""
    return {}


@pytest.fixture(params=list(FAMILIES))
def case(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    """Each family in turn."""
    return _once(cases, request.param)


@pytest.fixture(params=[family for family in FAMILIES if family not in BYPASSING])
def shared(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    """Each family that computes attention through the shared function."""
    return _once(cases, request.param)


@pytest.fixture(params=sorted(BYPASSING))
def bypassing(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    """Each family that computes attention in its own way."""
    return _once(cases, request.param)


@pytest.fixture
def bert(cases: dict[str, Case]) -> Case:
    return _once(cases, "bert")


@pytest.fixture
def llama(cases: dict[str, Case]) -> Case:
    return _once(cases, "llama")

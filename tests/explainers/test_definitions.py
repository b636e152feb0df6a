"""Each explainer equals its definition, written a second time, in float64 on models of several families."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
import torch

from headscope.attention.edit import Freeze
from headscope.explainers import EXPLAINERS, Asked
from headscope.explainers.blank import blank_of, blanked
from headscope.explainers.embedding import reading, vectors_of
from headscope.explainers.norms import block_maps, norms_of_heads, norms_of_layer
from headscope.explainers.through_layers import flows
from headscope.explainers.value_zeroing import zeroed_maps
from tests.explainers import reference
from tests.explainers.models import ALL, FEW, asked_of
from tests.explainers.reference import Reference
from tests.flows import by_networkx, by_scipy
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

ONE_STACK = (
    "bert", "distilbert", "roberta-tagger", "gpt2", "gpt_neox", "gemma2", "llama", "opt", "llama-classifier",
)  # fmt: skip
TWO_SIDES = ("bart", "t5")


@pytest.fixture(scope="module")
def cases() -> dict[str, tuple[Asked, Reference]]:
    return {}


def case(cases: dict[str, tuple[Asked, Reference]], name: str) -> tuple[Asked, Reference]:
    if name not in cases:
        asked = asked_of(name, dtype=torch.float64)
        cases[name] = asked, Reference(name, asked)
    return cases[name]


def first(asked: Asked, name: str) -> np.ndarray:
    """The importances of the first text's pieces; it is the longest."""
    return EXPLAINERS[name](asked)[0].numpy()


@pytest.mark.parametrize("name", sampled(ONE_STACK, FEW))
def test_attention_and_rollout(name: str, cases: dict) -> None:
    asked, known = case(cases, name)
    maps, row = known.maps(), known.row
    assert np.allclose(first(asked, "attention"), maps[-1].mean(0)[row])
    assert np.allclose(first(asked, "layers"), np.mean([each.mean(0)[row] for each in maps], axis=0))
    assert np.allclose(first(asked, "received"), maps[-1].mean(0).mean(0))
    assert np.allclose(first(asked, "rollout"), reference.rollout(maps, residual=True)[row])
    assert np.allclose(first(asked, "product"), reference.rollout(maps, residual=False)[row])


@pytest.mark.parametrize("name", sampled(ONE_STACK, FEW))
def test_flow_on_real_maps(name: str, cases: dict) -> None:
    asked, known = case(cases, name)
    steps = np.stack([(each.mean(0) + np.eye(each.shape[-1])) / 2 for each in known.maps()])
    row = known.row % steps.shape[1]
    found = flows(asked)[0][0].numpy()
    assert np.abs(found - by_networkx(steps, row)).max() < 1e-6
    assert np.abs(found - by_scipy(steps, row)).max() < 1e-6
    assert np.allclose(first(asked, "flow"), found / found.sum())


@pytest.mark.parametrize("name", sampled(ONE_STACK, FEW))
def test_generic_attention(name: str, cases: dict) -> None:
    asked, known = case(cases, name)
    expected = reference.generic(known.weighed())[known.row]
    expected[known.row] -= 1
    assert np.allclose(first(asked, "generic"), expected)


@pytest.mark.parametrize("name", sampled(TWO_SIDES, FEW))
def test_generic_attention_of_two_sides(name: str, cases: dict) -> None:
    asked, known = case(cases, name)
    stacks = [known.weighed(f"{field}_attentions") for field in ("encoder", "decoder", "cross")]
    source, target = reference.generic_of_two(*stacks)
    expected = np.concatenate([source[known.row], target[known.row] - np.eye(len(target))[known.row]])
    assert np.allclose(first(asked, "generic"), expected)


@pytest.mark.parametrize("name", sampled(TWO_SIDES, FEW))
def test_rollout_of_two_sides(name: str, cases: dict) -> None:
    asked, known = case(cases, name)
    encoder, decoder, cross = (known.maps(f"{field}_attentions") for field in ("encoder", "decoder", "cross"))
    source = reference.rollout(encoder, residual=True)
    target, given = np.eye(len(decoder[0][0])), np.zeros(cross[0].shape[1:])
    for own, other in zip(decoder, cross, strict=True):
        mixed = (own.mean(0) + np.eye(len(target))) / 2
        target, given = mixed @ target / 2, mixed @ given / 2 + other.mean(0) @ source / 2
    assert np.allclose(first(asked, "rollout"), np.concatenate([given[known.row], target[known.row]]))


@pytest.mark.parametrize("name", sampled(reference.FAMILIES, (*FEW, "gpt_neox", "gemma2")))
def test_norms_and_the_vectors_behind_them(name: str, cases: dict) -> None:
    asked, known = case(cases, name)
    for layer, site in enumerate(asked.model.sites.sites):
        each, output, bias = reference.vectors(known, layer)
        assert np.abs(each.sum((0, 2)) + bias - output).max() < 1e-5
        assert np.allclose(norms_of_heads(asked, site)[0].numpy(), np.linalg.norm(each, axis=-1))
        assert np.allclose(norms_of_layer(asked, site)[0].numpy(), np.linalg.norm(each.sum(0), axis=-1))
        assert np.allclose(block_maps(asked)[site][0].numpy(), reference.block_norms(known, layer))


@pytest.mark.parametrize("name", sampled(reference.FAMILIES, FEW))
def test_value_zeroing(name: str, cases: dict) -> None:
    asked, known = case(cases, name)
    maps = [reference.value_zeroing(known, layer) for layer in range(len(asked.model.sites.sites))]
    for found, expected in zip(zeroed_maps(asked).values(), maps, strict=True):
        assert np.allclose(found[0].numpy(), expected, atol=1e-9)
    expected = np.linalg.multi_dot(maps[::-1])[known.row]
    assert np.allclose(first(asked, "value-zeroing"), expected, atol=1e-9)


def test_norms_of_a_gated_block_are_of_what_is_added_up_in_it() -> None:
    """DiSAN: u_i = sum_j (1 - F_i) P_ij h_j + F_i h_i; the vectors of a row sum to what the block gives."""
    asked = asked_of("disan-tagger", dtype=torch.float64)
    found, notes = block_maps(asked), {}
    blocks = [module for module in asked.model.module.modules() if hasattr(module, "gate_mix")]
    handles = [
        block.register_forward_hook(lambda block, _, made: notes.update({block.site: made}))
        for block in blocks
    ]
    with torch.no_grad():
        asked.model.module(**asked.inputs)
    for handle in handles:
        handle.remove()
    for block in blocks:
        weights = asked.hearing.maps[block.site][0].numpy()  # (feature, query, key)
        h = asked.hearing.values[block.site][0, :, :, 0].numpy().T  # (piece, feature)
        s = np.einsum("fqk,kf->qf", weights, h)
        logits = block.gate_mix(torch.from_numpy(s)) + block.gate_own(torch.from_numpy(h)) + block.gate_bias
        gate = 1 / (1 + np.exp(-logits.detach().numpy()))
        vectors = np.einsum("qf,fqk,kf->qkf", 1 - gate, weights, h)
        places = np.arange(len(h))
        vectors[places, places] += gate * h
        assert np.allclose(vectors.sum(1), notes[block.site][0].numpy())
        assert np.allclose(found[block.site][0].numpy(), np.linalg.norm(vectors, axis=-1))


def test_past_a_pool_goes_nothing() -> None:
    """Blocks of a net that only pools are its norms: the weight times the length of each state."""
    asked = asked_of("pooled", dtype=torch.float64)
    (site,) = asked.model.sites.sites
    lengths = np.linalg.norm(asked.hearing.values[site][0, 0].numpy(), axis=-1)
    expected = asked.hearing.maps[site][0, 0, 0].numpy() * lengths
    assert np.allclose(first(asked, "norms-blocks"), expected / expected.sum())


def test_value_zeroing_of_a_pool() -> None:
    """How far the mix turns without one state."""
    asked = asked_of("pooled", dtype=torch.float64)
    (site,) = asked.model.sites.sites
    weights, states = (each[0, 0].numpy() for each in (asked.hearing.maps[site], asked.hearing.values[site]))
    whole, parts = weights[0] @ states, weights[0][:, None] * states
    without = whole - parts
    cosines = without @ whole / np.linalg.norm(without, axis=1) / np.linalg.norm(whole)
    expected = (1 - cosines) / (1 - cosines).sum()
    assert np.allclose(first(asked, "value-zeroing"), expected)


@pytest.mark.parametrize("name", TWO_SIDES)
def test_value_zeroing_of_two_sides(name: str) -> None:
    """A decoder layer's shares are over source and target, by hooks on its value matrices."""
    asked = asked_of(name, dtype=torch.float64)
    maps, module = zeroed_maps(asked), deepcopy(asked.model.module)
    inputs = {key: value[:1] for key, value in asked.inputs.items()}
    blocks = reference.decoder_blocks(name, module)
    for layer, (block, own, cross) in enumerate(blocks):
        distances = [
            reference.turned_without(module, inputs, block, matrix, piece)
            for matrix, count in ((cross, asked.sizes[0]), (own, asked.sizes[1]))
            for piece in range(count)
        ]
        expected = np.maximum(np.stack(distances, 1), 0)
        real = np.concatenate([side.real[0] for side in asked.by_sides])
        expected = np.where(real, expected, 0.0)
        totals = expected.sum(1, keepdims=True)
        site = asked.model.sites_of("cross")[layer]
        found = maps[site][0].numpy()
        assert np.allclose(found, expected / np.where(totals > 0, totals, 1), atol=1e-9)
        assert np.allclose(maps[asked.model.sites_of("decoder")[layer]][0].numpy(), np.eye(len(found)))
    assert np.isclose(first(asked, "value-zeroing").sum(), 1)


@pytest.mark.parametrize("name", sampled(ALL, ("bert", "llama", "pooled", "t5")))
def test_integrated_gradients_sum_to_the_difference(name: str) -> None:
    """Of the logit of the text and of one with blanks for all that is not special."""
    asked = asked_of(name)
    blank = blank_of(asked.model)
    assert blank is not None
    values = []
    for ids in (asked.ids, blanked(asked, blank)):
        vectors = vectors_of(asked, ids)
        with torch.no_grad(), asked.attached() as module, reading(asked.model, vectors):
            values.append(asked.values(asked.run(module)))
    difference = (values[0] - values[1]).double()
    found = EXPLAINERS["integrated-gradients"](asked)
    scale = torch.maximum(difference.abs(), 0.1 * found.abs().sum(1))
    assert bool(((found.sum(1) - difference).abs() <= 0.01 * scale).all())


@pytest.mark.parametrize("by", ["gradient-input", "gradient-detached"])
@pytest.mark.parametrize("name", sampled(["bert", "gpt2", "bart", "pooled"], ("bart", "pooled")))
def test_gradients_are_those_of_finite_differences(name: str, by: str) -> None:
    """Gradient times input is what a text changes by if one vector grows a little, maps held or not."""
    asked = asked_of(name, dtype=torch.float64)
    vectors, step = vectors_of(asked, asked.ids), 1e-6
    found, maps = EXPLAINERS[by](asked), asked.hearing.maps
    kept = {head: maps[site].detach()[:, head.index] for site in maps for head in site}
    held = [Freeze(kept)] if by == "gradient-detached" else []
    for piece in range(asked.sizes[0]):
        grown = [vectors[0].clone(), *vectors[1:]]
        grown[0][:, piece] *= 1 + step
        values = []
        for each in (grown, vectors):
            with torch.no_grad(), asked.attached(edits=held) as module, reading(asked.model, each):
                values.append(asked.values(asked.run(module)))
        slope = (values[0] - values[1]) / step
        assert torch.allclose(found[:, piece], slope * asked.seen[:, piece], atol=1e-5)


@pytest.mark.parametrize("name", sampled(["bert", "gpt2", "llama", "pooled"], ("llama", "pooled")))
def test_deletion_is_the_text_without_the_word(name: str) -> None:
    texts = ("w3 w4 w5 w6 w7 w8",)
    asked = asked_of(name, texts)
    before = asked.answers(asked.hearing.logits).double().log_softmax(-1)[0, asked.entries[0]]
    importance = EXPLAINERS["deletion"](asked)[0]
    words = texts[0].split()
    ordinary = (~asked.special[0]).nonzero()[:, 0].tolist()
    for number, piece in enumerate(ordinary):
        rest = asked_of(name, (" ".join(words[:number] + words[number + 1 :]),))
        after = rest.answers(rest.hearing.logits).double().log_softmax(-1)[0, asked.entries[0]]
        assert float(importance[piece]) == pytest.approx(float(before - after), abs=1e-5)

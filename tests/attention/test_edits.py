"""Edits of weights: what the model uses afterwards, and what listeners hear of it."""

from __future__ import annotations

import pytest
import torch

from headscope.attention import (
    Ablate,
    Edit,
    Erase,
    Freeze,
    OutputEdit,
    Permute,
    Recorder,
    Replace,
    Scale,
    Uniform,
    WeightEdit,
    attach,
)
from headscope.attention.edit import share_out
from headscope.errors import ModelError, OptionError
from headscope.heads import Head
from tests.attention.conftest import Case
from tests.families import SEQUENCE_TO_SEQUENCE

FIRST = Head("encoder", 0, 1)
CAUSAL = Head("decoder", 0, 1)


def heard_with(case: Case, *edits: Edit) -> dict[Head, torch.Tensor]:
    """Maps (batch, query, key) of each head while edited."""
    recorder = Recorder()
    with attach(case.model, case.sites, [recorder], edits):
        case.run()
    return {head: maps[0][:, head.index] for site, maps in recorder.maps.items() for head in site}


def original(case: Case, head: Head) -> torch.Tensor:
    return case.maps[head.stack, head.layer][:, head.index]


def lengths(case: Case) -> list[int]:
    return case.inputs["attention_mask"].sum(1).tolist()


def test_uniform_spreads_over_visible_keys(bert: Case) -> None:
    maps = heard_with(bert, Uniform([FIRST]))[FIRST]
    for number, size in enumerate(lengths(bert)):
        expected = torch.zeros(9, 9)
        expected[:, :size] = 1 / size
        assert torch.allclose(maps[number], expected)


def test_uniform_of_a_causal_head_spreads_over_the_past(llama: Case) -> None:
    maps = heard_with(llama, Uniform([CAUSAL]))[CAUSAL]
    for number, size in enumerate(lengths(llama)):
        for query in range(size):
            expected = torch.zeros(9)
            expected[: query + 1] = 1 / (query + 1)
            assert torch.allclose(maps[number, query], expected)


def test_other_heads_of_the_layer_keep_their_weights(bert: Case) -> None:
    maps = heard_with(bert, Uniform([FIRST]))
    for head in (Head("encoder", 0, 0), Head("encoder", 0, 2)):
        assert torch.equal(maps[head], original(bert, head))


def test_an_edited_layer_changes_the_layers_above_it(bert: Case) -> None:
    above = Head("encoder", 1, 0)
    assert not torch.allclose(heard_with(bert, Uniform([FIRST]))[above], original(bert, above), atol=1e-4)


def test_edited_weights_are_what_the_model_uses(shared: Case) -> None:
    """Weights put back unchanged give the same outputs; half of them, the head's half."""
    head = next(iter(shared.sites.sites[0]))
    with attach(shared.model, shared.sites, edits=[Replace([head], lambda weights, heard: weights * 1.0)]):
        same = shared.run()
    with attach(shared.model, shared.sites, edits=[Replace([head], lambda weights, heard: weights * 0.5)]):
        halved = shared.run()
    with attach(shared.model, shared.sites, edits=[Scale([head], 0.5)]):
        scaled = shared.run()
    for name, expected in shared.outputs.items():
        assert torch.allclose(same[name], expected, atol=1e-5)
        assert torch.allclose(halved[name], scaled[name], atol=1e-5)
    assert any(not torch.allclose(halved[name], same[name], atol=1e-4) for name in same)


def test_every_stack_can_be_edited(shared: Case) -> None:
    stacks = {site.stack: next(iter(site)) for site in shared.sites.sites}
    maps = heard_with(shared, Uniform(stacks.values()))
    if shared.family in SEQUENCE_TO_SEQUENCE:
        assert stacks.keys() == {"encoder", "decoder", "cross"}
    for head in stacks.values():
        seen = original(shared, head)[0] > 0
        assert torch.allclose(maps[head][0], seen / seen.sum(-1, keepdim=True))


def test_freeze_holds_a_head_at_given_weights(bert: Case) -> None:
    given = torch.softmax(torch.arange(81.0).reshape(9, 9) % 7, -1)
    each = torch.softmax(torch.randn(3, 9, 9, generator=torch.Generator().manual_seed(1)), -1)
    other = Head("encoder", 0, 3)
    maps = heard_with(bert, Freeze({FIRST: given, other: each}))
    assert torch.equal(maps[FIRST], given.expand(3, 9, 9))
    assert torch.equal(maps[other], each)


def test_freezing_at_its_own_weights_changes_nothing(bert: Case) -> None:
    with attach(bert.model, bert.sites, edits=[Freeze({FIRST: original(bert, FIRST)})]):
        outputs = bert.run()
    assert torch.allclose(outputs["last_hidden_state"], bert.outputs["last_hidden_state"], atol=1e-5)


def test_frozen_weights_of_another_size_are_refused(bert: Case) -> None:
    edit = Freeze({FIRST: torch.ones(4, 4)})
    with pytest.raises(OptionError, match=r"shape \(4, 4\) do not fit maps of \(3, 1, 9, 9\)"):
        heard_with(bert, edit)


@pytest.mark.parametrize("fixture", ["bert", "llama"])
def test_permute_shuffles_each_row_over_its_visible_keys(fixture: str, request) -> None:
    case: Case = request.getfixturevalue(fixture)
    head = FIRST if fixture == "bert" else CAUSAL
    maps, before = heard_with(case, Permute([head], seed=4))[head], original(case, head)
    moved = 0
    for number, size in enumerate(lengths(case)):
        for query in range(size):
            seen = query + 1 if head.stack == "decoder" else size
            shuffled, old = maps[number, query], before[number, query]
            assert torch.equal(shuffled[:seen].sort().values, old[:seen].sort().values)
            assert not shuffled[seen:].any()
            moved += int(not torch.equal(shuffled, old))
    assert moved > 15


def test_permute_is_seeded(bert: Case) -> None:
    maps = [heard_with(bert, Permute([FIRST], seed))[FIRST] for seed in (4, 4, 5)]
    assert torch.equal(maps[0], maps[1])
    assert not torch.equal(maps[0], maps[2])


def test_erase_takes_keys_away_and_shares_out_the_rest(bert: Case) -> None:
    erased = torch.zeros(9, dtype=torch.bool)
    erased[[0, 3]] = True
    maps, before = heard_with(bert, Erase([FIRST], erased))[FIRST], original(bert, FIRST)
    rest = before.masked_fill(erased, 0)
    assert torch.allclose(maps, rest / rest.sum(-1, keepdim=True))
    assert not maps[..., [0, 3]].any()
    assert torch.allclose(maps.sum(-1), torch.ones(3, 9))


def test_erase_can_differ_by_example(bert: Case) -> None:
    erased = torch.zeros(3, 9, dtype=torch.bool)
    erased[1, 2] = True
    maps, before = heard_with(bert, Erase([FIRST], erased))[FIRST], original(bert, FIRST)
    assert torch.allclose(maps[[0, 2]], before[[0, 2]])
    assert not maps[1, :, 2].any()


def test_a_row_with_everything_erased_stays_zero(llama: Case) -> None:
    erased = torch.arange(9) == 0
    maps = heard_with(llama, Erase([CAUSAL], erased))[CAUSAL]
    assert not maps[:, 0].any()
    assert torch.allclose(maps[0, 1:].sum(-1), torch.ones(8))
    assert torch.isfinite(maps).all()


def test_erase_of_another_length_is_refused(bert: Case) -> None:
    with pytest.raises(OptionError, match=r"5 keys to erase from, the map has 9"):
        heard_with(bert, Erase([FIRST], torch.ones(5, dtype=torch.bool)))


def test_replace_gets_the_weights_and_where_they_are(bert: Case) -> None:
    seen = []

    def swap(weights: torch.Tensor, heard: object) -> torch.Tensor:
        seen.append((tuple(weights.shape), heard.site.layer, tuple(heard.visible.shape[-2:])))
        return weights.flip(1)

    pair = [Head("encoder", 1, 0), Head("encoder", 1, 3)]
    maps = heard_with(bert, Replace(pair, swap))
    assert seen == [((3, 2, 9, 9), 1, (9, 9))]
    assert torch.equal(maps[pair[0]], original(bert, pair[1]))
    assert torch.equal(maps[pair[1]], original(bert, pair[0]))


@pytest.mark.parametrize(
    ("wrong", "came"),
    [
        (lambda weights, heard: weights[:, :, :2], r"\(3, 1, 2, 9\)"),
        (lambda weights, heard: None, "NoneType"),
        (lambda weights, heard: weights.numpy(), "ndarray"),
    ],
)
def test_replace_must_return_a_tensor_of_the_same_shape(bert: Case, wrong, came: str) -> None:
    with pytest.raises(OptionError, match=rf"Replace at encoder layer 0: .*\(3, 1, 9, 9\), not {came}"):
        heard_with(bert, Replace([FIRST], wrong))


def test_edits_apply_in_order(bert: Case) -> None:
    double = Replace([FIRST], lambda weights, heard: weights * 2)
    maps = heard_with(bert, Uniform([FIRST]), double)[FIRST]
    assert torch.allclose(maps[0], torch.full((9, 9), 2 / 9))
    maps = heard_with(bert, double, Uniform([FIRST]))[FIRST]
    assert torch.allclose(maps[0], torch.full((9, 9), 1 / 9))


@pytest.mark.parametrize(
    "head", [Head("encoder", 0, 4), Head("encoder", 2, 0), Head("decoder", 0, 0), Head("encoder", 0, -1)]
)
def test_heads_the_model_does_not_have_are_refused(bert: Case, head: Head) -> None:
    with (
        pytest.raises(OptionError, match=rf"the model has no head L{head.layer}H{head.index} in its"),
        attach(bert.model, bert.sites, edits=[Ablate([head])]),
    ):
        pass


def test_a_gate_has_a_value_per_example_and_carries_a_gradient(bert: Case) -> None:
    gate = torch.tensor([1.0, 0.0, 1.0], requires_grad=True)
    with attach(bert.model, bert.sites, edits=[Scale([FIRST], gate)]):
        outputs = bert.model(**bert.inputs).last_hidden_state
    with attach(bert.model, bert.sites, edits=[Ablate([FIRST])]):
        ablated = bert.run()["last_hidden_state"]
    assert torch.allclose(outputs[[0, 2]], bert.outputs["last_hidden_state"][[0, 2]], atol=1e-5)
    assert torch.allclose(outputs[1], ablated[1], atol=1e-5)
    # A gate of one example moves the outputs of that example alone.
    (gradient,) = torch.autograd.grad(outputs[1].square().sum(), gate)
    assert gradient[1] != 0 and gradient[0] == gradient[2] == 0


def test_the_gradient_of_a_gate_is_that_of_finite_differences(bert: Case) -> None:
    model = build_double()

    def total(gate: torch.Tensor) -> torch.Tensor:
        with attach(model, bert.sites_of(model), edits=[Scale([FIRST], gate)]):
            return model(**bert.inputs).last_hidden_state.square().sum((1, 2))[:2].sum()

    gate = torch.tensor([0.7, 1.3, 1.0], dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(total(gate), gate)
    for number in range(3):
        step = torch.zeros(3, dtype=torch.float64)
        step[number] = 1e-5
        with torch.no_grad():
            measured = (total(gate + step) - total(gate - step)) / 2e-5
        assert torch.isclose(gradient[number], measured, rtol=1e-6, atol=1e-8)
    assert gradient[2] == 0


def build_double() -> torch.nn.Module:
    from tests.families import build

    return build("bert").double()


def test_families_outside_the_shared_function_refuse_weight_edits(bypassing: Case) -> None:
    with (
        pytest.raises(ModelError, match=r"Uniform: .*its weights cannot be edited"),
        attach(bypassing.model, bypassing.sites, edits=[Uniform([FIRST])]),
    ):
        pass


def test_an_edit_that_does_not_say_how_is_a_programming_error(bert: Case) -> None:
    for kind in (WeightEdit, OutputEdit):
        with pytest.raises(TypeError, match=r"does not say how it changes"):
            heard_with(bert, kind([FIRST]))


def test_share_out_by_hand() -> None:
    rows = torch.tensor([[1.0, 3.0], [0.0, 0.0]])
    assert torch.equal(share_out(rows), torch.tensor([[0.25, 0.75], [0.0, 0.0]]))

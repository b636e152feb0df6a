"""One battery over all explainers: shapes, sums, padding and batches, nothing left behind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from headscope.attention import Ablate
from headscope.errors import ModelError
from headscope.explainers import EXPLAINERS, Asked, Explainer, ask
from tests.explainers.models import ALL, FEW, SOME, TEXTS, answers, asked_of, made, sides_for
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

SHARES = ("rollout", "flow", "norms-blocks", "value-zeroing")
"""Rows that sum to 1 in every shape of model."""

ROWS = ("attention", "layers", "norms", "norms-heads", "received")
"""Rows that sum to 1 on each side."""

NOT_DEFINED = {
    "mpnet": {"norms", "norms-heads", "norms-blocks", "value-zeroing", "gradient-detached"},
    "disan": {"value-zeroing"},
    "disan-tagger": {"value-zeroing"},
}


@pytest.fixture(scope="module")
def cases() -> dict[str, Asked]:
    return {}


def case(cases: dict[str, Asked], name: str) -> Asked:
    if name not in cases:
        cases[name] = asked_of(name)
    return cases[name]


def defined(name: str, explainer: Explainer) -> bool:
    return explainer.name not in NOT_DEFINED.get(name, ())


@pytest.mark.parametrize("explainer", EXPLAINERS.values(), ids=EXPLAINERS)
@pytest.mark.parametrize("name", sampled(ALL, (*FEW, "mpnet", "pooled")))
def test_every_explainer_answers_or_says_why_not(
    name: str, explainer: Explainer, cases: dict[str, Asked]
) -> None:
    asked = case(cases, name)
    if not defined(name, explainer):
        with pytest.raises(ModelError, match=f"{explainer.name} is not defined for {name}: .{{20,}}"):
            explainer(asked)
        return
    importance = explainer(asked)
    assert importance.shape == asked.seen.shape and importance.dtype == torch.float64
    assert not importance.requires_grad
    assert bool((importance[~asked.seen] == 0).all())
    judged = importance[~importance.isnan()]
    assert bool(judged.isfinite().all())
    assert explainer.signed or bool((judged >= 0).all())
    if explainer.needs != "runs":
        assert len(judged) == importance.numel()


@pytest.mark.parametrize("name", sampled(ALL, FEW))
def test_shares_sum_to_one(name: str, cases: dict[str, Asked]) -> None:
    asked = case(cases, name)
    sides = len(asked.sizes)
    for shares, total in ((SHARES, 1), (ROWS, sides)):
        for explainer in (EXPLAINERS[share] for share in shares):
            if defined(name, explainer) and not name.startswith("disan"):
                assert torch.allclose(explainer(asked).sum(1), torch.tensor(float(total)).double(), atol=1e-5)


@pytest.mark.parametrize("explainer", EXPLAINERS.values(), ids=EXPLAINERS)
@pytest.mark.parametrize("name", sampled(SOME, ("bert", "disan")))
def test_neither_padding_nor_batch_matters(name: str, explainer: Explainer, cases: dict[str, Asked]) -> None:
    if not defined(name, explainer):
        return
    together = explainer(case(cases, name))
    model = case(cases, name).model
    for row, text in enumerate(TEXTS):
        alone = answers(model, sides_for(model, [text]))
        seen = case(cases, name).seen[row]
        expected, found = explainer(alone)[0], together[row][seen]
        assert torch.allclose(found, expected[alone.seen[0]], rtol=2e-3, atol=2e-4, equal_nan=True)


@pytest.mark.parametrize("explainer", EXPLAINERS.values(), ids=EXPLAINERS)
@pytest.mark.parametrize("name", sampled(["bert", "llama", "bart", "pooled"], ("bert",)))
def test_nothing_stays_behind(name: str, explainer: Explainer) -> None:
    """No hook, no mode, no changed parameter, also where the model breaks off."""
    asked = asked_of(name)
    module = asked.model.module
    before = {key: value.clone() for key, value in module.state_dict().items()}
    if defined(name, explainer):
        explainer(asked)

    def broken(*given: object, **options: object) -> None:
        raise RuntimeError("broken off")

    handle = module.register_forward_pre_hook(broken)
    asked = replace(asked)  # without what is kept
    if explainer.needs != "nothing" and defined(name, explainer):
        with pytest.raises(RuntimeError, match="broken off"):
            explainer(asked)
    handle.remove()
    for each in module.modules():
        assert not (each._forward_hooks or each._forward_pre_hooks or each._backward_hooks)
    assert all(parameter.requires_grad and parameter.grad is None for parameter in module.parameters())
    assert all(torch.equal(value, before[key]) for key, value in module.state_dict().items())
    assert not module.training and torch.is_grad_enabled()


@pytest.mark.parametrize("name", ["bert", "llama", "bart"])
def test_without_heads_nothing_comes_from_attention(name: str) -> None:
    """Gradients of maps are zero where no head is taken; a decoder then reads its last piece alone."""
    model = made(name)
    with model.attached(edits=[Ablate(model.heads())], whole=True):
        asked = answers(model, sides_for(model))
        for explainer in ("generic", "attention-gradient"):
            assert bool((EXPLAINERS[explainer](asked) == 0).all())
        occlusion = EXPLAINERS["occlusion"](asked)
        own = torch.arange(occlusion.shape[1]) == asked.own[:, None]
        assert bool((occlusion[~own].nan_to_num().abs() < 1e-6).all())


def test_several_answers_to_one_text_are_those_of_as_many_texts() -> None:
    model = made("llama")
    sides = sides_for(model)
    many = ask(model, sides, np.array([0, 0, 1]), np.array([3, 5, 2]))
    for explainer in EXPLAINERS.values():
        importance = explainer(many)
        for row, (text, place) in enumerate(((0, 3), (0, 5), (1, 2))):
            alone = ask(model, sides_for(model, [TEXTS[text]]), np.array([0]), np.array([place]))
            expected = explainer(alone)[0]
            found = importance[row][: len(expected)]
            assert torch.allclose(found, expected, rtol=2e-3, atol=2e-4, equal_nan=True), explainer.name


@pytest.mark.parametrize("name", ["disan-tagger", "roberta-tagger"])
def test_the_tag_of_every_word_has_an_explanation(name: str) -> None:
    """Also of the last, where the tokenizer adds no end behind it; none is judged without its own word."""
    model = made(name)
    sides = sides_for(model, TEXTS[:1])
    places = np.arange(sides.source.ids.shape[1])
    every = ask(model, sides, np.zeros_like(places), places)
    found = EXPLAINERS["deletion"](every)
    for row, place in enumerate(places):
        alone = EXPLAINERS["deletion"](ask(model, sides, np.array([0]), np.array([place])))[0]
        assert torch.allclose(found[row], alone, atol=1e-5, equal_nan=True)
        assert bool(found[row, place].isnan())


@pytest.mark.parametrize("explainer", EXPLAINERS.values(), ids=EXPLAINERS)
@pytest.mark.parametrize("name", sampled(["llama", "roberta-tagger"], ("roberta-tagger",)))
def test_costs_are_the_passes_that_are_made(
    name: str, explainer: Explainer, cases: dict[str, Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three answers to one text share what does not depend on them."""
    model, passes = case(cases, name).model, 0
    assert explainer.refusal(model) is None
    asked = ask(
        model, sides_for(model, TEXTS[:1]), np.zeros(3, int), np.array([1, 3, 5]), np.array([0, 1, 1])
    )
    run = Asked.run

    def counted(self: Asked, module: object, inputs: dict[str, torch.Tensor] | None = None) -> torch.Tensor:
        nonlocal passes
        passes += len((self.inputs if inputs is None else inputs)["input_ids"])
        return run(self, module, inputs)

    monkeypatch.setattr(Asked, "run", counted)
    explainer(asked)
    if explainer.name == "value-zeroing":
        passes += asked.sizes[0]  # layers, called by themselves
    cost = explainer.cost(asked)
    assert cost.forward == pytest.approx(passes / 3)
    assert cost.backward == (cost.forward if explainer.needs == "gradients" else 0)

"""Adversarial attention: against a plain loop over one answer, by hand, and through any model."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers as tf

from headscope.explainers import Asked, responding
from headscope.explainers import adversary as module_under_test
from headscope.explainers.adversary import Adversaries, Search, adversaries
from headscope.explainers.given_attention import answers_given, generators, given
from headscope.explainers.mixing import Mixing, mixing_of
from headscope.measures.information import jensen_shannon, total_variation
from tests.explainers.models import ALL, SOME, TEXTS, answers, asked_of, sides_for
from tests.families import _BERT
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

SHORT = Search(copies=3, steps=25)


def plainly(asked: Asked, row: int, search: Search) -> tuple[torch.Tensor, torch.Tensor]:
    """One answer, its loss written as published, all gradients by torch."""
    mixing, size = mixing_of(asked), int(asked.sides.source.lengths[row])
    own, parts = mixing.weights[row, :size], mixing.parts[row, :size]
    random = [*generators(asked, 0, mixing.site)][row]
    start = search.spread * random.standard_normal((search.copies, 1, 1, size), np.float32)
    logits = torch.from_numpy(start[:, 0, 0]).to(own).requires_grad_()
    adam = torch.optim.Adam([logits], lr=search.rate, amsgrad=True)
    answered = (own @ parts + mixing.bias).softmax(-1)
    for _ in range(search.steps):
        weights = logits.softmax(-1)
        moved = total_variation((weights @ parts + mixing.bias).softmax(-1), answered)
        loss = search.cost * torch.relu(moved - search.allowed).sum() - jensen_shannon(weights, own).sum()
        loss = loss - jensen_shannon(weights[:, None] + 1e-12, weights[None] + 1e-12).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
    weights = logits.detach().softmax(-1)
    moved = total_variation((weights @ parts + mixing.bias).softmax(-1), answered)
    return jensen_shannon(weights, own), moved


def test_all_at_once_is_each_by_itself() -> None:
    asked = asked_of("pooled")
    found = adversaries(asked, search=SHORT)
    for row in range(len(asked.texts)):
        divergence, variation = plainly(asked, row, SHORT)
        assert torch.allclose(found.divergence[row], divergence, atol=2e-3)
        assert torch.allclose(found.variation[row], variation, atol=2e-3)


def test_a_net_that_is_linear_needs_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of("pooled")
    without = adversaries(asked, search=SHORT)
    monkeypatch.setattr(module_under_test, "is_linear", lambda model: False)
    through = adversaries(asked, search=SHORT)
    assert torch.allclose(through.divergence, without.divergence, atol=1e-3)
    assert torch.allclose(through.variation, without.variation, atol=1e-3)


@pytest.mark.parametrize("scope", ["last", "all"])
@pytest.mark.parametrize("name", sampled(SOME, ("bert", "bart", "disan-tagger")))
def test_neither_padding_nor_batch_matters(name: str, scope: str) -> None:
    asked, search = asked_of(name), Search(copies=2, steps=4)
    found = adversaries(asked, scope, search)  # type: ignore[arg-type]
    for row, text in enumerate(TEXTS):
        alone = answers(asked.model, sides_for(asked.model, [text]))
        expected = adversaries(alone, scope, search)  # type: ignore[arg-type]
        assert torch.allclose(found.divergence[row], expected.divergence[0], atol=1e-3)
        assert torch.allclose(found.variation[row], expected.variation[0], atol=1e-3)


@pytest.mark.parametrize("scope", ["last", "all"])
@pytest.mark.parametrize("name", ["bert", "llama", "bart", "pooled"])
def test_what_is_said_of_weights_is_what_they_do(name: str, scope: str) -> None:
    """The variation is that of the answer under the weights, run once more."""
    asked, search = asked_of(name), Search(copies=2, steps=10)
    found = adversaries(asked, scope, search)  # type: ignore[arg-type]
    chances = answers_given(asked, given(found.weights), 2, scope).exp()  # type: ignore[arg-type]
    own = asked.answers(asked.hearing.logits).double().softmax(-1)[:, None]
    assert torch.allclose(total_variation(chances, own).float(), found.variation, atol=1e-4)
    for weights in found.weights.values():
        assert torch.allclose(weights.sum(-1), torch.ones(()), atol=1e-5)


def test_through_a_model_the_search_moves_away_and_keeps_the_answer() -> None:
    asked = asked_of("bert")
    begun = adversaries(asked, search=Search(copies=2, steps=0))
    found = adversaries(asked, search=Search(copies=2, steps=60, rate=0.1))
    assert bool((found.variation <= torch.maximum(begun.variation, torch.tensor(0.05))).all())
    assert float(found.furthest().mean()) > float(begun.furthest().mean())


def mixed(parts: list[list[float]], weights: list[float]) -> Mixing:
    asked = asked_of("pooled")
    site = mixing_of(asked).site
    return Mixing(site, torch.tensor([weights]), torch.tensor([parts]), torch.zeros(2))


@pytest.mark.parametrize(
    ("parts", "low", "high"),
    [
        # Whatever is looked at says the same: any attention will do, up to ln 2 for one piece by another.
        ([[2.0, -2.0]] * 4, 0.55, 0.694),
        # One piece alone says so, and nearly all weight lies on it.
        ([[9.0, -9.0], [-9.0, 9.0], [-9.0, 9.0], [-9.0, 9.0]], 0.0, 0.25),
    ],
)
def test_what_can_be_found_where_it_is_known(
    parts: list[list[float]], low: float, high: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_of("pooled", ["w3 w4 w5 w6"])
    monkeypatch.setattr(responding, "mixing_of", lambda asked: mixed(parts, [0.97, 0.01, 0.01, 0.01]))
    found = adversaries(asked)
    assert low <= float(found.furthest()[0]) <= high


def test_the_furthest_answers_alike() -> None:
    """The second copy is further but answers otherwise; of the last answer only its own weights count."""
    divergence = torch.tensor([[0.2, 0.6, 0.3], [0.5, 0.5, 0.5]])
    variation = torch.tensor([[0.01, 0.2, 0.05], [0.06, 0.9, 0.4]])
    found = Adversaries(divergence, variation, {})
    assert found.furthest().tolist() == pytest.approx([0.3, 0.0])
    assert found.furthest(0.5).tolist() == pytest.approx([0.6, 0.5])
    assert torch.equal(found.half_variation, variation / 2)


def test_where_all_rows_decide_all_are_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    """A classifier of the mean over pieces; portions of any size give the same."""
    config = tf.ModernBertConfig(**_BERT, classifier_pooling="mean")
    monkeypatch.setitem(ALL, "mean", lambda: tf.ModernBertForSequenceClassification(config))
    asked, search = asked_of("mean"), Search(copies=2, steps=5)
    found = adversaries(asked, search=search)
    (weights,) = found.weights.values()
    pieces = asked.ids.shape[1]
    assert weights.shape == (3, 2, 4, pieces, pieces)
    monkeypatch.setattr(module_under_test, "PIECES", 1)
    apart = adversaries(asked, search=search)
    assert torch.allclose(apart.divergence, found.divergence, atol=1e-4)
    chances = answers_given(asked, given(found.weights), 2).exp()
    own = asked.answers(asked.hearing.logits).double().softmax(-1)[:, None]
    assert torch.allclose(total_variation(chances, own).float(), found.variation, atol=1e-4)
    alone = answers(asked.model, sides_for(asked.model, TEXTS[1:2]))
    assert torch.allclose(adversaries(alone, search=search).divergence[0], found.divergence[1], atol=1e-3)


@pytest.mark.parametrize("name", ["bert", "pooled"])
def test_other_precisions_are_searched_too(name: str) -> None:
    fine = adversaries(asked_of(name, dtype=torch.float64), search=SHORT)
    coarse = adversaries(asked_of(name), search=SHORT)
    assert torch.allclose(fine.divergence.float(), coarse.divergence, atol=5e-3)


def test_the_search_keeps_below_what_counts_as_alike() -> None:
    asked = asked_of("pooled")
    found = adversaries(asked, search=Search(copies=2, steps=300), epsilon=0.001)
    divergence, variation = found.alike(0.001)
    assert not divergence.isnan().any() and bool((variation <= 0.001).all())


def test_no_copy_that_answers_alike_is_no_divergence() -> None:
    found = Adversaries(torch.tensor([[0.2, 0.5], [0.3, 0.4]]), torch.tensor([[0.01, 0.9], [0.2, 0.3]]), {})
    divergence, variation = found.alike(0.05)
    assert divergence[0] == 0.2 and divergence[1].isnan() and variation[1].isnan()
    assert found.furthest(0.05).tolist() == pytest.approx([0.2, 0.0])

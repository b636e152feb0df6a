"""A net that looks at sentences and then at words: what is said of sentences, and of their words."""

from __future__ import annotations

import pytest
import torch

from headscope.attention import Freeze
from headscope.explainers import EXPLAINERS, Asked, explainers_of
from headscope.explainers.adversary import adversaries
from headscope.explainers.given_attention import answers_given, erased, permuted
from headscope.explainers.keys import keys_gone, keys_seen
from headscope.explainers.mixing import mixing_of
from headscope.explainers.single_weight import single_weights
from headscope.explainers.words import sentences_of, words_of
from headscope.heads import Head
from tests.explainers.models import answers, asked_of, made, sides_for
from tests.threads import one_thread  # noqa: F401

DOCUMENTS = ("w3 w4. w5 w6 w7. w8", "w8 w9 w10.", "w11 w12. w3 w4.")
LOOKS = (
    "attention",
    "received",
    "layers",
    "rollout",
    "product",
    "flow",
    "norms",
    "norms-heads",
    "norms-blocks",
)


@pytest.fixture(scope="module")
def asked() -> Asked:
    return asked_of("han", DOCUMENTS, torch.float64)


def maps(asked: Asked) -> tuple[torch.Tensor, torch.Tensor]:
    """Weights of words (text, sentence, piece) and of sentences (text, sentence)."""
    words, sentences = (asked.hearing.maps[site][:, 0].detach() for site in asked.model.sites.sites)
    return words, sentences[:, 0]


def test_attention_is_that_of_the_sentence_times_that_of_the_word(asked: Asked) -> None:
    words, sentences = maps(asked)
    wanted = (sentences[..., None] * words).sum(1)
    for name in ("attention", "layers", "rollout", "product", "document:L0H0"):
        (explainer,) = explainers_of([name])
        assert torch.allclose(explainer(asked), wanted), name
    summed = sentences_of(asked).summed(EXPLAINERS["attention"](asked))
    assert torch.allclose(summed.nan_to_num(), sentences)


@pytest.mark.parametrize("name", EXPLAINERS)
def test_every_explainer_answers_whatever_stands_beside_a_text(asked: Asked, name: str) -> None:
    importance = EXPLAINERS[name](asked)
    assert importance.shape == asked.seen.shape and bool((importance[~asked.seen] == 0).all())
    assert bool(importance[~importance.isnan()].isfinite().all())
    if name in LOOKS:
        assert torch.allclose(importance.sum(1), torch.ones(3, dtype=torch.float64))
    alone = answers(asked.model, sides_for(asked.model, DOCUMENTS[2:]))
    own = EXPLAINERS[name](alone)
    if name not in ("random", "first"):
        assert torch.allclose(own[0], importance[2, : own.shape[1]], atol=1e-5, equal_nan=True)


def test_a_sentence_is_gone_with_all_of_its_words(asked: Asked) -> None:
    site = asked.model.sites.sites[-1]
    assert keys_seen(asked, site).tolist() == [[True] * 3, [True, False, False], [True, True, False]]
    gone = torch.zeros(3, 2, asked.ids.shape[1], dtype=torch.bool)
    gone[0, 0, :3], gone[0, 1, :2] = True, True
    assert keys_gone(asked, site, gone)[0].tolist() == [[True, False, False], [False, False, False]]


def test_weights_of_sentences_given_without_a_pass_are_as_in_one(asked: Asked) -> None:
    """The highest sentence erased, the others' weights shared out, beside the net itself held at them."""
    units, weights = sentences_of(asked), maps(asked)[1]
    found = single_weights(asked, units, units.summed(EXPLAINERS["attention"](asked)))
    assert found.words[:, 0].tolist() == [int(weights[0].argmax()), -1, int(weights[2].argmax())]
    left = weights.clone()
    left[torch.arange(3), weights.argmax(1)] = 0.0
    left = left / left.sum(1, keepdim=True).clamp_min(1e-9)
    with torch.no_grad(), asked.attached(edits=[Freeze({Head("document", 0, 0): left[:, None]})]) as module:
        held = asked.run(module).log_softmax(-1)
    sets = torch.nn.functional.one_hot(weights.argmax(1), 3).bool()[:, None]
    given = answers_given(asked, erased(asked, units.pieces(sets)), 1)[:, 0]
    assert torch.allclose(given, held, atol=1e-9)
    assert torch.allclose(mixing_of(asked).weights, weights)


def test_others_weights_stay_on_sentences(asked: Asked) -> None:
    moved = answers_given(asked, permuted(asked, 20), 20).exp()
    own = asked.answers(asked.hearing.logits).softmax(-1)
    assert torch.allclose(moved[1], own[1].expand(20, -1)), "one sentence has one order"
    assert not torch.allclose(moved[0], own[0].expand(20, -1), atol=1e-4)
    (found,) = adversaries(asked).weights.values()
    assert found.shape[-1] == 3 and torch.allclose(found.sum(-1), torch.ones_like(found[..., 0]))
    assert not bool(found[1, ..., 1:].any())


def test_words_are_still_taken_away_one_by_one(asked: Asked) -> None:
    assert words_of(asked).counts.tolist() == [8, 4, 6] and sentences_of(asked).counts.tolist() == [3, 1, 2]
    assert made("han").stacks() == ["pool", "document"]

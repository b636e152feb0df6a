"""One weight taken away, by hand on a net whose answer is linear in its weights."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.explainers import Asked
from headscope.explainers.mixing import mixing_of
from headscope.explainers.single_weight import single_weights
from headscope.explainers.words import words_of
from headscope.measures.information import jensen_shannon
from tests.explainers.models import SOME, TEXTS, answers, asked_of, made, sides_for
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401


def attention(asked: Asked) -> torch.Tensor:
    """(answer, word)."""
    return words_of(asked).summed(mixing_of(asked).weights.double())


def test_the_answer_without_a_weight_is_that_of_the_others() -> None:
    asked = asked_of("pooled", dtype=torch.float64)
    found, mixing = single_weights(asked, words_of(asked), attention(asked)), mixing_of(asked)
    for row, length in enumerate(asked.sides.source.lengths):
        weights, parts = mixing.weights[row, :length], mixing.parts[row, :length]
        whole = (weights @ parts + mixing.bias).softmax(-1)
        for number, word in enumerate(found.words[row].tolist()):
            left = weights.clone()
            left[word] = 0.0
            without = (left / left.sum() @ parts + mixing.bias).softmax(-1)
            assert found.divergence[row, number].item() == pytest.approx(
                jensen_shannon(without, whole).item(), abs=1e-9
            )
            assert bool(found.flips[row, number]) == bool(without.argmax() != whole.argmax())
        assert found.words[row, 0] == weights.argmax()


def test_the_other_is_any_word_but_the_highest() -> None:
    """Each of the five others in about a fifth of 400 draws, also the first; the highest in none."""
    asked = asked_of("pooled", TEXTS[:1])
    words, weights = words_of(asked), attention(asked)
    drawn = np.array(
        [single_weights(asked, words, weights, seed=seed).words[0].tolist() for seed in range(400)]
    )
    top = int(weights[0].argmax())
    counts = np.bincount(drawn[:, 1], minlength=6)
    assert (drawn[:, 0] == top).all() and counts[top] == 0
    others = np.delete(counts, top)
    assert len(others) == 5 and (abs(others - 80) < 5 * np.sqrt(80 * 0.8)).all()


def test_a_text_of_one_word_has_no_other() -> None:
    model = made("pooled")
    asked = answers(model, sides_for(model, ["w3", "w3 w4"]))
    found = single_weights(asked, words_of(asked), attention(asked))
    assert found.words[0].tolist() == [-1, -1] and bool(found.divergence[0].isnan().all())
    assert not bool(found.flips[0].any()) and {*found.words[1].tolist()} == {0, 1}


@pytest.mark.parametrize("name", sampled(SOME, ("llama", "bart", "disan")))
def test_neither_padding_nor_batch_matters(name: str) -> None:
    asked = asked_of(name)
    words = words_of(asked)
    found = single_weights(asked, words, words.summed(asked.seen.double().cumsum(1)))
    for row, text in enumerate(TEXTS):
        alone = answers(asked.model, sides_for(asked.model, [text]))
        words = words_of(alone)
        expected = single_weights(alone, words, words.summed(alone.seen.double().cumsum(1)))
        assert torch.equal(found.words[row], expected.words[0])
        assert torch.allclose(found.divergence[row], expected.divergence[0], atol=1e-5, equal_nan=True)

"""The best and the worst order to take words away: greedy, by beam, and exact."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
import torch

from headscope.explainers import Asked
from headscope.explainers import stepwise as through
from headscope.explainers.limits import limits
from headscope.explainers.removal import Judged, log_likelihood
from headscope.explainers.stepwise import without_words
from headscope.explainers.words import Words, words_of
from tests.explainers.models import SOME, TEXTS, answers, asked_of, sides_for
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

Chance = Callable[[int, frozenset[int]], float]
"""Probability of an answer by its number, without some words."""


@pytest.fixture
def asked() -> Asked:
    return asked_of("bert")


def pretended(monkeypatch: pytest.MonkeyPatch, words: Words, chance: Chance) -> None:
    """A model that answers with given probabilities."""

    def judged(asked: Asked, gone: torch.Tensor, how: str, wanted: torch.Tensor | None) -> Judged:
        assert wanted is not None
        found = torch.full(gone.shape[:2], torch.nan, dtype=torch.float64)
        for answer, number in wanted.nonzero().tolist():
            lost = frozenset(words.members[answer][gone[answer, number]].tolist())
            found[answer, number] = np.log(chance(answer, lost))
        return Judged(found, torch.zeros_like(found).long())

    monkeypatch.setattr(through, "judged_without", judged)


def random_chances(seed: int) -> Chance:
    def chance(answer: int, lost: frozenset[int]) -> float:
        return float(np.random.default_rng([seed, answer, *sorted(lost)]).random())

    return chance


def area(chance: Chance, answer: int, before: float, order: list[int]) -> float:
    steps = [chance(answer, frozenset(order[: step + 1])) for step in range(len(order))]
    return before - float(np.mean(steps))


def before(asked: Asked) -> list[float]:
    return log_likelihood(asked.answers(asked.hearing.logits), asked.entries).exp().tolist()


def own(order: torch.Tensor) -> list[int]:
    return [word for word in order.tolist() if word >= 0]


@pytest.mark.parametrize("seed", range(3))
def test_exact_is_the_best_and_worst_of_all_orders(
    asked: Asked, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, chance = words_of(asked), random_chances(seed)
    pretended(monkeypatch, words, chance)
    found = limits(asked, words, "mask", exact=6)
    for answer, start in enumerate(before(asked)):
        every = permutations(range(int(words.counts[answer])))
        areas = [area(chance, answer, start, list(order)) for order in every]
        assert found.high[answer].item() == pytest.approx(max(areas))
        assert found.low[answer].item() == pytest.approx(min(areas))
        assert area(chance, answer, start, own(found.best[answer])) == pytest.approx(max(areas))
        assert area(chance, answer, start, own(found.worst[answer])) == pytest.approx(min(areas))


def test_a_wide_beam_finds_the_same_and_a_wider_one_nothing_worse(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = words_of(asked)
    pretended(monkeypatch, words, random_chances(5))
    exact = limits(asked, words, "mask", exact=6)
    every = limits(asked, words, "mask", beam=64, exact=0)
    assert torch.allclose(every.high, exact.high) and torch.allclose(every.low, exact.low)
    greedy, some = limits(asked, words, "mask", exact=0), limits(asked, words, "mask", beam=3, exact=0)
    assert bool((greedy.high <= exact.high + 1e-12).all()) and bool((some.high <= exact.high + 1e-12).all())
    assert bool((greedy.low >= exact.low - 1e-12).all())


def test_greedy_by_hand(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words count 1, 2, 3, ...: the best order begins with the last, the worst with the first."""
    words = words_of(asked)
    pretended(monkeypatch, words, lambda answer, lost: 0.9 - sum(word + 1 for word in lost) / 100)
    found = limits(asked, words, "mask", exact=0)
    assert found.best[1].tolist() == [2, 1, 0, -1, -1, -1]
    assert found.worst[1].tolist() == [0, 1, 2, -1, -1, -1]
    # Without 3, 5, 6 hundredths, and without 1, 3, 6.
    start = before(asked)[1]
    assert found.high[1].item() == pytest.approx(start - 0.9 + (3 + 5 + 6) / 300)
    assert found.low[1].item() == pytest.approx(start - 0.9 + (1 + 3 + 6) / 300)


@pytest.mark.parametrize("exact", [0, 4])
@pytest.mark.parametrize("name", sampled(SOME, ("llama", "pooled")))
def test_neither_padding_nor_batch_matters(name: str, exact: int) -> None:
    asked = asked_of(name)
    together = limits(asked, words_of(asked), "deletion", exact=exact)
    for row, text in enumerate(TEXTS):
        alone = answers(asked.model, sides_for(asked.model, [text]))
        expected = limits(alone, words_of(alone), "deletion", exact=exact)
        assert own(together.best[row]) == own(expected.best[0])
        assert own(together.worst[row]) == own(expected.worst[0])
        assert together.high[row].item() == pytest.approx(expected.high[0].item(), abs=1e-4)
        assert together.low[row].item() == pytest.approx(expected.low[0].item(), abs=1e-4)


@pytest.mark.parametrize("name", ["bert", "pooled"])
def test_greedy_is_the_plain_loop(name: str) -> None:
    asked = asked_of(name, TEXTS[:1], torch.float64)
    words = words_of(asked)
    found = limits(asked, words, "mask", exact=0)
    for order, choose in ((found.best, np.nanargmin), (found.worst, np.nanargmax)):
        gone: list[int] = []
        for _ in range(words.most):
            left = [word for word in range(words.most) if word not in gone]
            chances = []
            for word in left:
                sets = torch.zeros(1, words.most, dtype=torch.bool)
                sets[0, [*gone, word]] = True
                chances.append(without_words(asked, words, sets[:, None], "mask").likelihood.item())
            gone.append(left[int(choose(chances))])
        assert own(order[0]) == gone


def test_a_text_without_words_has_no_limits(asked: Asked) -> None:
    words = Words(torch.full_like(asked.seen, -1, dtype=torch.long), torch.zeros(3, dtype=torch.long))
    found = limits(asked, words, "mask")
    assert found.best.shape == (3, 0) and bool(found.high.isnan().all())

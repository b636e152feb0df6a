"""Scores of heads by hand, a planted head, and keywords that are only rare words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headscope.questions.keywords.baselines import baselines_of
from headscope.questions.keywords.choosing import best_head
from headscope.questions.keywords.scores import (
    Kinds,
    calibrated_entropy,
    others_of,
    platt,
    scores_of,
    summed_entropy,
)
from headscope.questions.keywords.tables import Named, best_table, scores_table
from headscope.questions.keywords.vocabulary import IDF
from headscope.questions.keywords.weighing import Weighing
from headscope.questions.keywords.words import MEAN, READINGS, SUM, Words, _lookers
from headscope.results.finding import LEVEL
from tests.questions.keywords.words import made_words, planted


@pytest.fixture(scope="module")
def words() -> Words:
    return made_words(60)


def test_relative_attention_by_hand() -> None:
    """Keywords receive 3 and 5, others 1 and 2: a difference of 2.5."""
    own = made_words(1, size=4, heads=1)
    values = np.array([3, 1, 5, 2], np.float16)
    own = replace(own, received=np.repeat(values[:, None, None], 3, 1), key=np.array([1, 0, 1, 0]) > 0)
    scores = scores_of(own, 0)
    assert scores.relative[READINGS.index(SUM), 0] == pytest.approx(2.5)
    assert scores.relative[READINGS.index(MEAN), 0] == pytest.approx(2.5 / 4)
    assert np.isnan(scores.relative_low).all() and scores.precision.value[0, 0] == pytest.approx(1.0)


def test_how_many_words_look() -> None:
    """Two windows; the second word of the first does not look."""
    looks, window = np.array([1, 0, 1, 1, 1]) > 0, np.array([0, 0, 0, 1, 1])
    assert _lookers(looks, window).tolist() == [[2, 2, 1], [2, 1, 1], [2, 1, 2], [2, 2, 1], [2, 1, 2]]


def test_summed_entropy_by_hand() -> None:
    values, wanted = np.array([[0.5], [0.25]]), np.array([True, False])
    assert summed_entropy(values, wanted)[0] == pytest.approx(-np.log(0.5) - np.log(0.75))
    assert np.isfinite(summed_entropy(np.array([[0.0], [1.0]]), wanted)).all()


def test_a_curve_is_fitted_as_it_was_drawn() -> None:
    draw = np.random.default_rng(0)
    scores = draw.normal(size=(40_000, 2)) * [1, 3] + [0, 5]
    wanted = draw.random(40_000) < 1 / (1 + np.exp(-(2 * scores[:, 0] - 1)))
    slope, level = platt(scores, wanted)
    assert (slope[0], level[0]) == pytest.approx((2, -1), abs=0.08)
    assert slope[1] == pytest.approx(0, abs=0.02)


def test_a_head_that_knows_nothing_has_the_entropy_of_chance(words: Words) -> None:
    share = words.key.mean()
    chance = -share * np.log(share) - (1 - share) * np.log(1 - share)
    assert calibrated_entropy(words, words.logs(SUM)) == pytest.approx(chance, abs=0.01)


def test_rarity_is_that_in_all_texts(words: Words) -> None:
    """Of the words of some documents, as many documents have a word as of all."""
    some = words.kept(words.document < 20)
    spread = [
        len({text for text, other in zip(words.document, words.surface, strict=True) if other == word})
        for word in some.surface[:12]
    ]
    idf = baselines_of(some)[IDF][:12]
    assert idf == pytest.approx(np.log(60 / np.array(spread))) and max(spread) > 20


def test_others_of_a_stratum() -> None:
    """Keywords do not count; of a stratum of keywords alone there is nothing."""
    values, strata = np.array([[1.0], [3.0], [5.0], [10.0]]), np.array([1, 1, 1, 0])
    others = others_of(values, strata, np.array([True, False, False, True])).ravel()
    assert others[:3].tolist() == [4, 4, 4] and np.isnan(others[3])


def test_a_stratum_has_words_of_one_frequency(words: Words) -> None:
    kinds, (own, _, _) = Kinds.of(words), words.frequencies()
    for stratum in range(50):
        rows = np.isin(kinds.owner, np.flatnonzero(kinds.stratum == stratum))
        assert len(np.unique(words.document[rows])) == len(np.unique(own[rows])) == 1


def test_different_words_of_a_document() -> None:
    """Its mean over all places, and of a keyword if it is so at one."""
    own = made_words(1, size=4, heads=1)
    own = replace(own, surface=["a", "b", "a", "c"], frequency=None, key=np.array([0, 0, 1, 0]) > 0)
    kinds = Kinds.of(own)
    assert kinds.owner.tolist() == [0, 1, 0, 2] and kinds.key.tolist() == [True, False, False]
    assert kinds.means(np.array([[1.0], [2], [3], [4]])).ravel().tolist() == [2, 2, 4]
    assert kinds.stratum[1] == kinds.stratum[2] != kinds.stratum[0]


def test_a_planted_head_is_found(words: Words) -> None:
    with_head = planted(words, 2, 2.0)
    scores, best = scores_of(with_head, 0), best_head(with_head)
    assert (scores.p_all[:3, 2] < LEVEL).all()
    assert scores.matched[0, 2] == pytest.approx(2.0, rel=0.15)
    assert best.chosen[:, 1].tolist() == [2, 2] and best.gain > 0
    weighing = Weighing(with_head)
    assert weighing.ranked[0] == 2


def test_what_is_found_was_held_against_a_twin(words: Words) -> None:
    with_head = planted(words, 2, 3.0)
    named = Named({"head": [f"L0H{head}" for head in range(words.heads)]})
    table, best = scores_table(scores_of(with_head, 0), named, documents=True), best_head(with_head)
    tables = [best_table(best, twins, table, named) for twins in ([], [best_head(words)], [best])]
    assert [bool(each["found"][0]) for each in tables] == [False, True, False]
    assert tables[0]["p_all"][0] < LEVEL and tables[0]["head"][0] == "L0H2"


def test_nothing_is_found_where_nothing_is() -> None:
    found = [bool((scores_of(made_words(40, seed=seed), 0).p_all < LEVEL).any()) for seed in range(6)]
    assert sum(found) <= 1


def test_a_head_that_likes_rare_words_knows_no_keywords() -> None:
    """Keywords are rare words, drawn at random among them; the head gives by frequency alone."""
    draw = np.random.default_rng(0)
    own = made_words(60, size=30, heads=1)
    rare = np.array([word < "f" for word in own.surface])
    shown = np.where(rare, own.position % 25, 0)
    surface = [
        f"{word}{number}" if number else "the" for word, number in zip(own.surface, shown, strict=True)
    ]
    own = replace(own, surface=surface, frequency=None, key=(shown > 0) & (draw.random(len(shown)) < 0.3))
    _, every, _ = own.frequencies()
    values = (draw.lognormal(0, 0.2, len(shown)) / every).astype(np.float16)
    scores = scores_of(replace(own, received=np.repeat(values[:, None, None], 3, 1)), 0)
    assert scores.relative_low[0, 0] > 0 and scores.p[0, 0] > LEVEL


def test_halves_without_keywords_choose_nothing() -> None:
    own = made_words(2)
    best = best_head(replace(own, key=own.document == 0) if len(set(own.block % 2)) > 1 else own)
    assert best.chosen.min() == -1 and np.isnan(best.value)

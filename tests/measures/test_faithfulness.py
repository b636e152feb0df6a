"""Scores of erasure, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headscope.measures.faithfulness import (
    aopc,
    comprehensiveness,
    erased_along,
    normalised,
    orders,
    sufficiency,
    top_sets,
    until_flip,
)

IMPORTANCE = np.array([[0.2, np.nan, 0.5, -0.1], [0.3, 0.3, np.nan, np.nan]])
COUNTS = np.array([4, 2])


def test_orders_put_what_is_not_judged_last_and_nothing_behind_a_text() -> None:
    assert orders(IMPORTANCE, COUNTS).tolist() == [[2, 0, 3, 1], [0, 1, -1, -1]]


def test_erased_along_an_order() -> None:
    steps = erased_along(np.array([[1, 0, -1]])).astype(int)
    assert steps.tolist() == [[[0, 1, 0], [1, 1, 0], [1, 1, 0]]]


def test_top_sets_round_up_and_take_one_word_at_least() -> None:
    """Of 4 words: .01 is 1, .5 is 2, .51 is 3, all 4; of 2 words 1, 1, 2, 2."""
    sets = top_sets(IMPORTANCE, COUNTS, (0.01, 0.5, 0.51, 1.0)).astype(int)
    assert sets[0].tolist() == [[0, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 1], [1, 1, 1, 1]]
    assert sets[1].tolist() == [[1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]


def test_a_whole_number_of_words_is_not_rounded_up() -> None:
    """.1 x 30 is 3.0000000000000004 to a computer."""
    assert top_sets(np.arange(30.0)[None], np.array([30]), (0.1,)).sum() == 3


def test_comprehensiveness_and_sufficiency_are_mean_falls() -> None:
    """.9 - .7 = .2 and .9 - .1 = .8, mean .5; a rise counts as a negative fall."""
    before, after = np.array([0.9, 0.5]), np.array([[0.7, 0.1], [0.6, 0.6]])
    assert comprehensiveness(before, after) == pytest.approx([0.5, -0.1])
    assert sufficiency(before, after) == pytest.approx([0.5, -0.1])


def test_aopc_and_its_place_between_limits() -> None:
    """Falls .1, .3, .5 of three words: mean .3; of two .2, .4: .3 too. Between .1 and .5: a half."""
    after = np.array([[0.8, 0.6, 0.4], [0.6, 0.4, 99.0]])
    area = aopc(np.array([0.9, 0.8]), after, np.array([3, 2]))
    assert area == pytest.approx([0.3, 0.3])
    assert normalised(area, np.array([0.1, 0.3]), np.array([0.5, 0.3])) == pytest.approx(
        [0.5, np.nan], nan_ok=True
    )
    assert np.isnan(aopc(np.array([0.5]), np.zeros((1, 2)), np.array([0]))).all()


def test_until_flip_by_hand() -> None:
    """At the third of four words; at once, of two; never; not behind the text's own words."""
    after = np.array([[1, 1, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0]])
    share, flipped = until_flip(np.array([1, 1, 1, 1]), after, np.array([4, 2, 4, 2]))
    assert share.tolist() == [0.75, 0.5, 1.0, 1.0]
    assert flipped.tolist() == [True, True, False, False]


@given(arrays(float, (3, 6), elements=st.floats(-1, 1, width=16)), st.permutations(range(7)))
def test_sets_are_nested_and_have_their_sizes(importance: np.ndarray, sizes: list[int]) -> None:
    counts = np.clip(np.array(sizes[:3]), 0, 6)
    sets = top_sets(importance, counts, (0.1, 0.4, 0.9))
    assert not (sets[:, :-1] & ~sets[:, 1:]).any()
    expected = np.ceil(np.multiply.outer(counts, (0.1, 0.4, 0.9)) - 1e-9).clip(1)
    assert (sets.sum(2) == np.minimum(expected, counts[:, None])).all()

"""Choosing on one half and scoring on the other, by hand and by brute force."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.analyses.crossfit import better_of, cross_fit, halves

# Two candidates, one cell, four blocks of ten words each.
RIGHT = np.array([[9, 6], [4, 7], [8, 5], [5, 9]], float)[..., None]
COUNT = np.full((4, 1), 10.0)


def test_halves_are_even_and_odd_blocks() -> None:
    assert halves(5).tolist() == [0, 1, 0, 1, 0]


def test_each_half_chooses_for_the_other() -> None:
    fit = cross_fit(RIGHT, COUNT)
    # even blocks: 17 against 11; odd blocks: 9 against 16. So even ones are scored with the second.
    assert fit.chosen.tolist() == [[1], [0]]
    assert fit.trained.tolist() == [[16], [17]]
    assert fit.right[:, 0].tolist() == [6, 4, 5, 5]
    assert fit.accuracy().tolist() == [20 / 40]
    assert RIGHT.sum(0).max() / COUNT.sum() == 27 / 40, "on the same data the best looks better"


def test_of_equals_the_first_is_chosen() -> None:
    fit = cross_fit(np.array([[3, 3], [2, 2]], float)[..., None], np.full((2, 1), 4.0))
    assert fit.chosen.tolist() == [[0], [0]]


def test_a_half_without_words_leaves_the_other_unscored() -> None:
    right, count = RIGHT.copy(), COUNT.copy()
    right[1::2] = count[1::2] = 0
    fit = cross_fit(right, count)
    # odd blocks have nothing to choose by, and even blocks nothing to be scored with
    assert fit.chosen.tolist() == [[-1], [0]]
    assert fit.trained.tolist() == [[0], [17]]
    assert fit.right.sum() == fit.count.sum() == 0
    assert np.isnan(fit.accuracy()).all()


def test_cells_are_chosen_apart() -> None:
    right = np.concatenate([RIGHT, RIGHT[:, ::-1], np.zeros_like(RIGHT)], axis=2)
    count = np.concatenate([COUNT, COUNT, np.zeros_like(COUNT)], axis=1)
    fit = cross_fit(right, count)
    assert fit.chosen.tolist() == [[1, 0, -1], [0, 1, -1]]
    accuracy = fit.accuracy()
    assert accuracy[:2].tolist() == [0.5, 0.5] and np.isnan(accuracy[2])


def test_the_better_reading_of_each_half() -> None:
    # The second reading counts fewer words; it is worse by the even blocks and better by the odd ones.
    other = np.array([[1, 2], [8, 9], [2, 1], [9, 9]], float)[..., None]
    reads = [cross_fit(RIGHT, COUNT), cross_fit(other, COUNT - 1)]
    fit, which = better_of(reads)
    # for even blocks: 16 against 18, trained on odd ones; for odd blocks: 17 against 3
    assert which.tolist() == [[1], [0]]
    assert fit.chosen.tolist() == [[1], [0]]
    assert fit.trained.tolist() == [[18], [17]]
    assert fit.right[:, 0].tolist() == [2, 4, 1, 5]
    assert fit.count[:, 0].tolist() == [9, 10, 9, 10]


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 7), st.integers(1, 4), st.integers(1, 3), st.integers(0, 1000))
def test_against_loops(blocks: int, candidates: int, cells: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    count = draw.integers(0, 4, (blocks, cells)).astype(float)
    right = np.floor(draw.random((blocks, candidates, cells)) * (count[:, None] + 1))
    fit = cross_fit(right, count)
    for cell in range(cells):
        hits, words = 0.0, 0.0
        for half in (0, 1):
            others = [block for block in range(blocks) if block % 2 != half]
            own = [block for block in range(blocks) if block % 2 == half]
            if sum(count[block, cell] for block in others) == 0:
                assert fit.chosen[half, cell] == -1
                continue
            totals = [sum(right[block, one, cell] for block in others) for one in range(candidates)]
            best = totals.index(max(totals))
            assert fit.chosen[half, cell] == best
            hits += sum(right[block, best, cell] for block in own)
            words += sum(count[block, cell] for block in own)
        accuracy = fit.accuracy()[cell]
        assert np.isnan(accuracy) if words == 0 else accuracy == hits / words

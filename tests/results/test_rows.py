"""Rows of attention that add up to 1 again, and what is left of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headscope.results.rows import renormalise, share_left


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=5))
def test_renormalised_rows_sum_to_one_or_are_empty(rows: list[list[float]]) -> None:
    weights = np.array(rows)
    sums = renormalise(weights).sum(axis=1)
    np.testing.assert_allclose(sums, np.where(weights.sum(axis=1) > 0, 1.0, 0.0))


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=5))
def test_what_is_left_and_what_is_hidden_are_the_whole(rows: list[list[float]]) -> None:
    weights = np.array(rows)
    parts = [share_left(weights, np.array(kept)) for kept in ([0], [1, 2])]
    np.testing.assert_allclose(sum(parts), np.where(weights.sum(axis=1) > 0, 1.0, 2.0))

"""Rows of attention that add up to 1 again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headscope.results.look import renormalise


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=5))
def test_renormalised_rows_sum_to_one_or_are_empty(rows: list[list[float]]) -> None:
    weights = np.array(rows)
    sums = renormalise(weights).sum(axis=1)
    np.testing.assert_allclose(sums, np.where(weights.sum(axis=1) > 0, 1.0, 0.0))

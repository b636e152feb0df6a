"""The plain mean."""

from __future__ import annotations

import numpy as np

from headscope.tallies import Means


def test_rows_of_all_updates_count_alike() -> None:
    tally = Means((2,))
    tally.update(np.array([[1.0, 10.0]]))
    tally.update(np.array([[2.0, 20.0], [6.0, 0.0]]))
    assert tally.result().tolist() == [3.0, 10.0]


def test_sums_are_in_double_precision() -> None:
    tally = Means((1,))
    tally.update(np.full((4, 1), 16777217.0))  # 2^24 + 1, which float32 cannot hold
    tally.update(np.full((2, 1), 0.1, dtype=np.float32))
    assert tally.total[0] == 4 * 16777217.0 + 2 * float(np.float32(0.1))


def test_nothing_seen_is_nan() -> None:
    assert np.isnan(Means((3,)).result()).all()

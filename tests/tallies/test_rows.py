"""Rows come back as they were added, through merging and through a state."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.tallies import Rows


def filled(names: list[str], start: float = 0.0) -> Rows:
    tally = Rows((2,))
    tally.update(names, start + np.arange(2.0 * len(names)).reshape(-1, 2))
    return tally


def test_merging_puts_rows_behind() -> None:
    tally = filled(["a", "b", "a"])
    tally.merge(filled(["c"], start=10.0))
    assert tally.result().tolist() == [[0, 1], [2, 3], [4, 5], [10, 11]]
    numbers = tally.documents()
    assert numbers[0] == numbers[2] and len(set(numbers.tolist())) == 3


def test_nothing_yet() -> None:
    assert Rows((3, 2)).result().shape == (0, 3, 2)
    assert Rows.from_state(Rows((3, 2)).to_state()).result().shape == (0, 3, 2)


def test_values_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected \(2, 2\)"):
        Rows((2,)).update(["a", "b"], np.zeros((2, 3)))

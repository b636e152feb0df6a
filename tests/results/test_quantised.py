"""Weights as bytes: how far they are off, and that their order stays."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headscope.results.quantised import STEPS, quantise, restore

WEIGHTS = arrays(np.float64, st.integers(1, 40), elements=st.floats(0, 1))


@given(WEIGHTS)
def test_the_error_shrinks_with_the_root(weights: np.ndarray) -> None:
    """A root is off by half a step, so a weight by root / 255 and a quarter of the step's square."""
    error = np.abs(restore(quantise(weights)) - weights)
    assert (error <= np.sqrt(weights) / STEPS + 0.25 / STEPS**2 + 1e-12).all()
    assert error.max() <= 0.004


@given(WEIGHTS)
def test_order_stays(weights: np.ndarray) -> None:
    steps = quantise(np.sort(weights)).astype(int)
    assert (np.diff(steps) >= 0).all()


@given(st.integers(0, STEPS))
def test_bytes_come_back_as_they_were(step: int) -> None:
    assert quantise(restore(np.array([step], np.uint8))).tolist() == [step]


def test_by_hand() -> None:
    """The root of 0.04 is 0.2, which is step 51 of 255 exactly."""
    assert quantise(np.array([0.04, np.nan, -0.1, 1.5])).tolist() == [51, 0, 0, 255]
    np.testing.assert_allclose(restore(np.array([51], np.uint8)), [0.04])

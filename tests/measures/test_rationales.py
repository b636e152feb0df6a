"""Explanations beside what people named."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.rationales import average_precision, overlap

IMPORTANCE = np.array([[0.1, 0.9, 0.5, 0.3], [0.4, 0.2, 9.0, 9.0], [0.4, 0.2, 9.0, 9.0]])
NAMED = np.array([[False, True, False, True], [False, True, True, True], [False, False, True, False]])
COUNTS = np.array([4, 2, 2])


def test_average_precision_by_hand() -> None:
    """Hits at ranks 1 and 3: (1 + 2/3) / 2; at rank 2 of 2: 1/2, what lies behind left out; none: NaN."""
    found = average_precision(IMPORTANCE, NAMED, COUNTS)
    assert found == pytest.approx([5 / 6, 0.5, np.nan], nan_ok=True)


def test_overlap_by_hand() -> None:
    """The two highest are words 1 and 2, named are 1 and 3: one of three; word 0 is not word 1: none."""
    assert overlap(IMPORTANCE, NAMED, COUNTS) == pytest.approx([1 / 3, 0.0, np.nan], nan_ok=True)


def test_all_at_once_is_the_area_of_each_curve() -> None:
    """Precision times the recall that each threshold adds, one text at a time."""
    random = np.random.default_rng(0)
    importance, named = random.random((20, 9)), random.random((20, 9)) < 0.4
    named[:, 0] = True
    expected = []
    for scores, truth in zip(importance, named, strict=True):
        area = recall = 0.0
        for threshold in sorted(scores, reverse=True):
            chosen = scores >= threshold
            found = (chosen & truth).sum() / truth.sum()
            area += (found - recall) * (chosen & truth).sum() / chosen.sum()
            recall = found
        expected.append(area)
    assert average_precision(importance, named, np.full(20, 9)) == pytest.approx(expected)

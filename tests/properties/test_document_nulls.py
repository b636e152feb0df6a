"""Where nothing differs, compare claims little, however few the documents; planted shifts are found."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.null_documents import PLANTED, Documents, discoveries

CELLS, TRIALS = 96, 40


@pytest.fixture(scope="module")
def documents() -> Documents:
    """Skewed values that go together, as those of heads and measures do, over one to four segments each."""
    random = np.random.default_rng(0)
    causes = random.gamma(1.0, size=(300, 6))
    means = causes @ random.normal(size=(6, CELLS)) + random.gamma(1.0, size=(300, CELLS))
    counts = np.broadcast_to(
        1.0 + random.integers(0, 4, (300, 1)) * (random.random((300, 1)) < 0.3), means.shape
    )
    return Documents(means * counts, counts)


@pytest.mark.parametrize(
    ("sizes", "paired"),
    [
        *(((first, other), False) for first, other in ((3, 3), (5, 5), (20, 20), (10, 50), (20, 200))),
        *(((size, size), True) for size in (3, 5, 20)),
    ],
)
def test_what_is_the_same_is_rarely_called_different(
    documents: Documents, sizes: tuple[int, int], paired: bool
) -> None:
    """More than 6 of 40 trials with any discovery have a chance below 1 % at 5 %."""
    share = discoveries(documents, sizes, paired, TRIALS)
    assert share <= 6 / TRIALS
    if sizes == (3, 3) or (paired and sizes[0] < 6):
        assert share == 0, "too few to claim anything"


@pytest.mark.parametrize("paired", [False, True])
def test_shifts_of_a_standard_deviation_are_found(documents: Documents, paired: bool) -> None:
    assert discoveries(documents, (20, 20), paired, 20, PLANTED) >= 0.5

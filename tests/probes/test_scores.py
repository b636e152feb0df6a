"""Scores of whole batches, by block."""

from __future__ import annotations

import numpy as np

from headscope.probes.padded import Padded
from headscope.probes.scores import branching, score
from tests.probes.planted import noise, plant, shelf

SENTENCES = [
    (["he", "saw", "her", "."], [2, 0, 2, 2]),
    (["old", "lamp", "burned"], [2, 3, 0]),
    (["ships", "pass"], [2, 0]),
]


def test_right_branching_by_hand() -> None:
    features = plant(SENTENCES, [noise], blocks=[7, 7, 9])
    counts = score([branching], shelf(features))[0]
    # he -> saw right; saw -> her wrong, her -> . wrong, the stop is not counted: 1 of 3; then 3 of 3.
    assert counts[7, 0].tolist() == [4, 6] and counts[9, 0].tolist() == [2, 2]
    # Edges: he-saw and saw-her are both in the chain; so are the others.
    assert counts[7, 1].tolist() == [4, 4] and counts[9, 1].tolist() == [1, 1]
    assert counts.sum(0)[2:].tolist() == counts.sum(0)[:2].tolist()
    assert np.flatnonzero(counts.any((1, 2))).tolist() == [7, 9]


def test_words_and_trees_are_scored_apart() -> None:
    def parse(batch: Padded) -> list[tuple[np.ndarray, np.ndarray]]:
        gold = [row[:size].numpy() for row, size in zip(batch.targets["tree"], batch.sizes, strict=True)]
        return [(heads, np.zeros_like(heads)) for heads in gold]

    uas, uuas, uas_tree, uuas_tree = score([parse], shelf(plant(SENTENCES, [noise])))[0].sum(0).tolist()
    assert (uas, uuas) == ([8, 8], [5, 5])
    assert (uas_tree, uuas_tree) == ([3, 8], [0, 5])

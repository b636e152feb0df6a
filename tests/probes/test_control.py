"""The control task: behaviours belong to word types, whatever the sentence."""

from __future__ import annotations

import numpy as np

from headscope.probes.control import behaviours, control_heads
from tests.probes.planted import noise, plant


def test_heads_by_hand() -> None:
    sentences = [(["a", "ship", "a"], [2, 0, 2]), (["ship", "lamp"], [2, 0])]
    features = plant(sentences, [noise])
    # a: the last word; ship: itself; lamp: the first word.
    of_type = {"a": 2, "ship": 0, "lamp": 1}
    behaviour = np.array([of_type[word] for word in features.vocabulary])[features.word]
    assert control_heads(behaviour, features).tolist() == [3, 2, 3, 1, 1]


def test_behaviours_are_drawn_evenly_and_by_seed() -> None:
    words = [f"word{number}" for number in range(3000)]
    drawn = behaviours(words, 0)
    assert (np.abs(np.bincount(drawn, minlength=3) - 1000) < 120).all()
    assert np.array_equal(drawn, behaviours(words, 0))
    assert 0.5 < (drawn != behaviours(words, 1)).mean() < 0.8

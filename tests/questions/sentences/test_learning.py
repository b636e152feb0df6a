"""Classifiers over vectors in which the answer was planted, in known layers and dimensions."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.probes.regression import Sets, Split, regress
from headscope.questions.sentences.learning import erase, perceive
from headscope.tasks.course import Course

SIZE, DIM = 400, 12
PLANTED = (2, 7)


def planted(seed: int = 0) -> tuple[np.ndarray, Sets]:
    """Three layers of noise; in the second, dimensions 2 and 7 hold the label, together.

    A margin of 2 lies between the labels along their sum, and neither dimension alone decides.
    """
    draw = np.random.default_rng(seed)
    labels = draw.integers(0, 2, SIZE)
    vectors = draw.normal(size=(SIZE, 3, DIM)).astype(np.float32)
    for dim in PLANTED:
        vectors[:, 1, dim] += 2.5 * (2 * labels - 1)
    rows = np.arange(SIZE)
    parts = (rows[:200], rows[200:260], rows[260:])
    splits = [Split(own, labels[own]) for own in parts]
    return vectors, Sets(*splits, 2, np.zeros(len(parts[2]), np.int32))


def test_regression_reads_the_layer_that_knows() -> None:
    vectors, sets = planted()
    found = regress(vectors, sets)
    shares = found["right"].mean(1)
    assert shares[1] > 0.97 and found["tuned"].argmax() == 1
    assert abs(shares[[0, 2]] - 0.5).max() < 0.15
    assert found["right"].shape == (3, 140) and set(found["strength"]) <= {0.003, 0.03, 0.3}


def test_labels_that_have_nothing_to_do_with_vectors_are_not_read() -> None:
    vectors, sets = planted()
    draw = np.random.default_rng(9)
    splits = [Split(own.rows, draw.permutation(own.labels)) for own in (sets.train, sets.tune, sets.test)]
    shares = regress(vectors, Sets(*splits, 2, sets.blocks))["right"].mean(1)
    assert abs(shares - 0.5).max() < 0.15


def test_erasing_finds_the_dimensions_that_were_planted() -> None:
    vectors, sets = planted()
    found = erase(vectors, sets, np.full(3, 0.03), "mean", seed=0)
    order = np.argsort(-found["effects"][1])
    assert set(order[:2].tolist()) == set(PLANTED)
    curve = found["curve"][1]
    assert curve[0] > 0.97 and abs(curve[2] - 0.5) < 0.15, "without both, nothing is known"
    assert found["random"][1, 2] > 0.8 and curve.shape == (DIM + 1,)
    assert found["flips"][1] < found["chance"][1]


def test_zero_is_put_instead_of_the_mean() -> None:
    """Shifted away from 0, a dimension without any meaning still moves the answers once it is 0."""
    vectors, sets = planted()
    shifted = vectors + np.float32(20)
    by_mean, by_zero = (erase(shifted, sets, np.full(3, 0.03), put, seed=0) for put in ("mean", "zero"))
    same = erase(vectors, sets, np.full(3, 0.03), "mean", seed=0)
    assert np.allclose(by_mean["effects"], same["effects"], atol=1e-3)
    assert np.abs(by_zero["effects"]).sum() > 3 * np.abs(by_mean["effects"]).sum()


def test_perceptrons_are_tuned_and_trained_with_each_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "headscope.probes.perceptrons.COURSE", Course(epochs=3, evaluations=1, batch_size=100)
    )
    vectors, sets = planted()
    found = perceive(vectors[:, :2], sets, layer=1, widths=(4, 2), seeds=2, seed=0)
    assert found["right"].shape == (2, 2, 140) and found["right"][:, 1].mean() > 0.95
    assert found["hidden"].item() in (2, 4) and found["dropout"].item() in (0.0, 0.2)
    again = perceive(vectors[:, :2], sets, layer=1, widths=(4, 2), seeds=1, seed=0)
    assert np.array_equal(again["right"][0], found["right"][0])


def test_a_layer_is_read_the_same_whichever_others_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one layer is in memory at a time."""
    monkeypatch.setattr("headscope.probes.perceptrons.COURSE", Course(epochs=2, evaluations=1))
    vectors, sets = planted()
    every = perceive(vectors, sets, layer=1, widths=(4, 2), seeds=2, seed=3)
    alone = perceive(vectors[:, 1:2], sets, layer=0, widths=(4, 2), seeds=2, seed=3)
    assert np.array_equal(every["right"][:, 1], alone["right"][:, 0])
    assert every["tuned"][1] == alone["tuned"][0] and every["hidden"] == alone["hidden"]

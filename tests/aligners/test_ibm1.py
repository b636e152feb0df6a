"""IBM model 1, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.aligners import Bitext, train_ibm1
from headscope.aligners.ibm1 import Ibm1

PAIRS = [
    (["das", "Haus"], ["the", "house"]),
    (["das", "Buch"], ["the", "book"]),
    (["ein", "Buch"], ["a", "book"]),
]


def chance(text: Bitext, model: Ibm1, pair: int, target: int, source: int) -> float:
    size = int(text.grid.sources[pair])
    return float(model.chances[text.parameter[text.grid.starts[pair] + target * size + source]])


def test_one_round_by_hand() -> None:
    text = Bitext.of([(["b"], ["x"]), (["b", "c"], ["x", "y"])])
    model = train_ibm1(text, rounds=1)
    # At first t(x|b) = t(y|b) = t(x|0) = t(y|0) = t(x|c) = t(y|c) = 1/2, where 0 is nothing. In the first
    # pair x comes half from b; in the second, x and y come a third each from b, c and nothing.
    # t(x|b) = (1/2 + 1/3) / (1/2 + 1/3 + 1/3) = 5/7, t(x|c) = 1/2.
    assert chance(text, model, 0, 0, 0) == pytest.approx(5 / 7)
    assert chance(text, model, 1, 1, 0) == pytest.approx(2 / 7)
    assert chance(text, model, 1, 0, 1) == pytest.approx(1 / 2)
    # Log-likelihood before: x of the first pair (1/2 + 1/2) / 2, both of the second (3/2) / 3.
    assert model.gained[0] == pytest.approx(3 * np.log(0.5))


def test_words_that_go_together_are_found() -> None:
    text = Bitext.of(PAIRS * 5)
    model = train_ibm1(text, rounds=10)
    links = model.links(text)
    assert links[:4].tolist() == [True, False, False, True]
    assert (np.diff(model.gained) > 0).all()


def test_equal_chances_come_from_nothing() -> None:
    text = Bitext.of([(["b", "c"], ["x"])])
    assert not train_ibm1(text).links(text).any()


def test_turning_exchanges_the_sides() -> None:
    text = Bitext.of([(["b", "c"], ["x"]), (["c"], ["y", "x"])])
    turned = Bitext.of([(["x"], ["b", "c"]), (["y", "x"], ["c"])])
    other = text.turned()
    assert other.grid.sources.tolist() == turned.grid.sources.tolist() == [1, 2]
    # Numbers of words may differ, what they share may not.
    shared = [
        [np.equal.outer(each, each).tolist() for each in (one.parameter, one.nothing)]
        for one in (other, turned)
    ]
    assert shared[0] == shared[1]

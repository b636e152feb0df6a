"""Looks: maps between words or pieces, with special tokens shown, hidden or renormalised, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.errors import OptionError
from headscope.heads import Head
from headscope.results.look import Axis, Look, Sheet, StackMaps

# [CLS] is special; "lighthouse" is two pieces; then one word.
QUERY = Axis(
    ["[CLS]", "light", "house", "burns"], [0, 1, 1, 2], ["[CLS]", "lighthouse", "burns"], [True] + [False] * 3
)
KEY = Axis(["a", "b", "</s>"], [0, 0, 1], ["ab", "</s>"], [False, False, True])
WEIGHTS = np.array(
    [
        [0.2, 0.3, 0.5],
        [0.1, 0.3, 0.6],
        [0.3, 0.3, 0.4],
        [0.0, 0.0, 1.0],
    ],
    np.float32,
)
HEAD = Head("cross", 3, 7)


@pytest.fixture
def look() -> Look:
    sheets = [
        Sheet(1, [0], np.zeros((1, 4, 3), np.float32)),
        Sheet(3, [2, 7], np.stack([WEIGHTS * 0, WEIGHTS])),
    ]
    encoder = StackMaps("encoder", KEY, KEY, [Sheet(0, [0], np.eye(3, dtype=np.float32)[None])])
    return Look("tiny", [encoder, StackMaps("cross", QUERY, KEY, sheets)])


def test_pieces(look: Look) -> None:
    found = look.map(HEAD, words=False)
    assert (found.query, found.key) == (QUERY.pieces, KEY.pieces)
    np.testing.assert_allclose(found.weights, WEIGHTS, atol=1e-7)


def test_to_a_split_word_is_summed_and_from_it_averaged(look: Look) -> None:
    found = look.map(HEAD)
    assert (found.query, found.key) == (["[CLS]", "lighthouse", "burns"], ["ab", "</s>"])
    np.testing.assert_allclose(found.weights, [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]], atol=1e-7)


@pytest.mark.parametrize(
    ("words", "special", "query", "key", "weights"),
    [
        (True, "hidden", ["lighthouse", "burns"], ["ab"], [[0.5], [0.0]]),
        (True, "renormalised", ["lighthouse", "burns"], ["ab"], [[1.0], [0.0]]),
        (False, "hidden", ["light", "house", "burns"], ["a", "b"], [[0.1, 0.3], [0.3, 0.3], [0.0, 0.0]]),
        (
            False,
            "renormalised",
            ["light", "house", "burns"],
            ["a", "b"],
            [[0.25, 0.75], [0.5, 0.5], [0.0, 0.0]],
        ),
    ],
)
def test_special_tokens(look: Look, words: bool, special: str, query: list, key: list, weights: list) -> None:
    found = look.map(HEAD, words, special)
    assert (found.query, found.key) == (query, key)
    np.testing.assert_allclose(found.weights, weights, atol=1e-7)


def test_the_look_itself_stays_as_it_is(look: Look) -> None:
    look.map(HEAD, False, "renormalised").weights[:] = 9
    np.testing.assert_array_equal(look.stack("cross").sheets[1].weights[1], WEIGHTS)


def test_the_first_stack_is_the_default(look: Look) -> None:
    assert look.stack().stack == "encoder" and look.stack("cross").stack == "cross"


@pytest.mark.parametrize("head", [Head("cross", 3, 1), Head("cross", 2, 0), Head("encoder", 3, 7)])
def test_heads_that_were_not_kept_are_refused(look: Look, head: Head) -> None:
    with pytest.raises(OptionError, match=rf"the look holds no head {head} of the {head.stack}"):
        look.map(head)


def test_an_unknown_stack_is_refused(look: Look) -> None:
    with pytest.raises(OptionError, match=r"unknown stack 'decoder'.* Available: encoder, cross"):
        look.stack("decoder")

"""Looks: maps between words or pieces, with special tokens shown, hidden or renormalised, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.errors import OptionError
from headscope.heads import Head
from headscope.results.look import Axis, Look, Sheet, StackMaps
from headscope.results.rows import is_scant

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


@pytest.mark.parametrize(
    ("words", "left"),
    # Of "light" 0.4, of "house" 0.6, so of their word 0.5; of "burns" nothing.
    [(True, [0.5, 0.0]), (False, [0.4, 0.6, 0.0])],
)
@pytest.mark.parametrize("special", ["hidden", "renormalised"])
def test_how_much_is_left_of_a_row_is_told(look: Look, words: bool, special: str, left: list[float]) -> None:
    found = look.map(HEAD, words, special)
    np.testing.assert_allclose(found.left, left, atol=1e-7)
    assert is_scant(found.left).tolist() == [share < 0.05 for share in left]
    assert look.map(HEAD, words).left.tolist() == [1.0] * (3 if words else 4)


def sink() -> Look:
    """A decoder whose tokenizer puts nothing in front of a text: the first token gets nearly everything."""
    axis = Axis(["The", "light", "house"], [0, 1, 1], ["The", "lighthouse"], [False] * 3)
    weights = np.array([[1, 0, 0], [0.998, 0.002, 0], [0.9, 0.04, 0.06]], np.float32)
    return Look("tiny", [StackMaps("decoder", axis, axis, [Sheet(0, [0], weights[None])])])


def test_the_first_token_can_be_hidden_where_none_is_special() -> None:
    assert sink().map("L0H0", False, "hidden").key == ["The", "light", "house"]
    found = sink().map("L0H0", False, "renormalised", first_token=True)
    assert found.query == found.key == ["light", "house"]
    np.testing.assert_allclose(found.weights, [[1.0, 0.0], [0.4, 0.6]], atol=1e-6)
    np.testing.assert_allclose(found.left, [0.002, 0.1], atol=1e-6)
    assert is_scant(found.left).tolist() == [True, False]
    words = sink().map("L0H0", True, "hidden", first_token=True)
    assert words.query == ["lighthouse"] and words.left[0] == pytest.approx((0.002 + 0.1) / 2)


def test_shown_tokens_are_shown_whatever_counts_as_special() -> None:
    assert sink().map("L0H0", False, "shown", first_token=True).key == ["The", "light", "house"]


def test_the_first_of_another_text_stays(look: Look) -> None:
    """In cross-attention the first query is no key."""
    marked = look.stack("cross").with_first()
    assert marked.key.special == [True, False, True] and marked.query == QUERY
    assert look.stack("encoder").with_first().query.special == [True, False, True]
    assert marked.special() == ["[CLS]", "a", "</s>"] and look.stack("cross").special() == ["[CLS]", "</s>"]

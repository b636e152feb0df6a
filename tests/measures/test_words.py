"""Maps over words: against the same written with torch, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headscope.measures.words import Pieces, strongest_others, word_maps
from headscope.text.alignment import number_all
from tests.torch_words import to_words

SPECIAL = -1


@st.composite
def texts(draw: st.DrawFn) -> list[int]:
    """The word of each piece: special pieces anywhere, words of several pieces, words without any."""
    pieces: list[int] = []
    for word in range(draw(st.integers(1, 6))):
        pieces += [SPECIAL] * draw(st.integers(0, 2)) + [word] * draw(st.integers(0, 3))
    return [*pieces, *[SPECIAL] * draw(st.integers(0 if pieces else 1, 2))]


def padded(rows: list[list[int]]) -> np.ndarray:
    longest = max(len(row) for row in rows)
    return np.array([row + [SPECIAL] * (longest - len(row)) for row in rows])


def attention(rows: list[list[int]], heads: int, seed: int) -> torch.Tensor:
    """Random maps in which nobody looks at padding; what padding itself looks at is noise."""
    longest = max(len(row) for row in rows)
    scores = torch.randn(len(rows), heads, longest, longest, generator=torch.manual_seed(seed))
    for one, row in enumerate(rows):
        scores[one, :, : len(row), len(row) :] = -torch.inf
    return torch.softmax(scores, -1)


def with_torch(weights: torch.Tensor, row: list[int], count: int) -> np.ndarray:
    """(head, word, word + 1) the other way: every special piece is a word first, then added up."""
    word = torch.tensor(row)
    number = torch.as_tensor(number_all(np.array(row)))
    maps = to_words(weights[:, : len(row), : len(row)].double(), number, number)
    expected = np.zeros((len(weights), count, count + 1))
    place = [int(word[number == one][0]) for one in range(int(number.max()) + 1)]
    for query, of_query in enumerate(place):
        for key, of_key in enumerate(place):
            if of_query != SPECIAL:
                expected[:, of_query, of_key] += maps[:, query, key].numpy()
    return expected


@settings(max_examples=150, deadline=None)
@given(st.lists(texts(), min_size=1, max_size=4), st.integers(0, 1), st.integers(1, 3), st.integers(0, 1000))
@example([[-1, 0, 1, -1, 2, -1]], 0, 1, 0)  # one piece to each word, but not one after the other
@example([[-1, 0, 1, 2, -1], [0, 1, 2]], 0, 2, 0)
def test_the_same_as_with_torch(rows: list[list[int]], spare: int, heads: int, seed: int) -> None:
    numbers, weights = padded(rows), attention(rows, heads, seed)
    count = max(1, int(numbers.max()) + 1 + spare)
    found = word_maps(weights, numbers, count)
    assert found.shape == (len(rows), heads, count, count + 1) and found.dtype == np.float32
    for one, row in enumerate(rows):
        assert np.allclose(found[one], with_torch(weights[one], row, count), atol=1e-6)
    with_pieces = np.array([[word in row for word in range(count)] for row in rows])
    sums = found.sum(-1)
    assert np.allclose(sums, np.where(with_pieces[:, None], 1.0, 0.0), atol=1e-5)
    assert np.array_equal(Pieces.of(numbers, count).sizes > 0, with_pieces)


def test_a_split_word_by_hand() -> None:
    """[CLS] a b1 b2 c, where c has no piece of its own and a second text is padded."""
    numbers = np.array([[-1, 0, 1, 1], [-1, 0, -1, -1]])
    weights = torch.zeros(2, 1, 4, 4)
    weights[0, 0, 1] = torch.tensor([0.1, 0.2, 0.3, 0.4])
    weights[0, 0, 2] = torch.tensor([0.5, 0.5, 0.0, 0.0])
    weights[0, 0, 3] = torch.tensor([0.3, 0.1, 0.2, 0.4])
    weights[1, 0, 1] = torch.tensor([0.75, 0.25, 0.0, 0.0])
    weights[1, 0, 3] = torch.tensor([0.0, 1.0, 0.0, 0.0])  # padding speaks, and is not heard
    found = word_maps(weights, numbers, 3)
    assert np.allclose(found[0, 0], [[0.2, 0.7, 0, 0.1], [0.3, 0.3, 0, 0.4], [0, 0, 0, 0]])
    assert np.allclose(found[1, 0], [[0.25, 0, 0, 0.75], [0, 0, 0, 0], [0, 0, 0, 0]])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_any_precision_and_layout(dtype: torch.dtype) -> None:
    rows = [[-1, 0, 1, 1, -1], [-1, 0, -1]]
    weights = attention(rows, 4, seed=3).to(dtype).requires_grad_()
    some = weights[:, [2, 0]]
    turned = weights.transpose(0, 1).contiguous().transpose(0, 1)
    expected = word_maps(weights.detach().float(), padded(rows), 2)
    assert np.array_equal(word_maps(some, padded(rows), 2), expected[:, [2, 0]])
    assert np.array_equal(word_maps(turned, padded(rows), 2), expected)


def strongest(rows: list[list[float]]) -> tuple[list[int], list[int]]:
    to, by = strongest_others(np.array(rows, np.float32)[None, None])
    return to[0, 0].tolist(), by[0, 0].tolist()


def test_oneself_is_never_chosen() -> None:
    assert strongest([[0.9, 0.1, 0.0], [0.1, 0.7, 0.2], [0.3, 0.0, 0.7]]) == ([1, 2, 0], [2, 0, 1])


def test_the_first_of_equals_is_chosen() -> None:
    even = [[0.25] * 4] * 4
    assert strongest(even) == ([1, 0, 0, 0], [1, 0, 0, 0])
    assert strongest([[0.0, 0.5, 0.5], [0.4, 0.2, 0.4], [0.4, 0.5, 0.1]]) == ([1, 0, 1], [1, 0, 0])


def test_nothing_gives_nothing() -> None:
    assert strongest([[1.0]]) == ([-1], [-1])
    assert strongest([[1.0, 0.0], [0.0, 1.0]]) == ([-1, -1], [-1, -1])
    assert strongest([[0.0, 0.2, 0.0], [0.0] * 3, [0.0] * 3]) == ([1, -1, -1], [-1, 0, -1])


def test_a_causal_map() -> None:
    """The first word sees no other, and nobody sees the last."""
    causal = [[1.0, 0.0, 0.0], [0.6, 0.4, 0.0], [0.3, 0.5, 0.2]]
    assert strongest(causal) == ([-1, 0, 1], [1, 2, -1])


def test_columns_beyond_the_words_are_not_looked_at() -> None:
    maps = np.array([[0.0, 0.1, 0.9], [0.2, 0.0, 0.8]], np.float32)[None, None]
    to, by = strongest_others(maps)
    assert (to.tolist(), by.tolist()) == ([[[1, 0]]], [[[1, 0]]])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(0, 1000))
def test_the_same_as_a_search(words: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    maps = draw.integers(0, 4, (2, 3, words, words + 1)).astype(np.float32)  # small numbers tie often
    to, by = strongest_others(maps)
    for place in np.ndindex(2, 3, words):
        *where, word = place
        row, column = maps[*where, word, :words].copy(), maps[*where, :, word].copy()
        row[word] = column[word] = 0
        assert to[place] == (row.argmax() if row.any() else -1)
        assert by[place] == (column.argmax() if column.any() else -1)

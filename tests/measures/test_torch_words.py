"""From pieces to words: to a split word summed, from it averaged."""

from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.torch_words import to_words


def test_by_hand() -> None:
    weights = torch.tensor(
        [
            [0.1, 0.2, 0.3, 0.4],
            [0.5, 0.0, 0.5, 0.0],
            [0.0, 0.6, 0.2, 0.2],
            [1.0, 0.0, 0.0, 0.0],
        ]
    )
    words = torch.tensor([0, 1, 1, 2])
    expected = torch.tensor([[0.1, 0.5, 0.4], [0.25, 0.65, 0.1], [1.0, 0.0, 0.0]])
    assert torch.allclose(to_words(weights, words, words), expected)


def test_queries_and_keys_may_be_of_different_texts() -> None:
    weights = torch.tensor([[0.25, 0.75, 0.0], [0.5, 0.0, 0.5]])
    found = to_words(weights, torch.tensor([0, 0]), torch.tensor([0, 1, 1]))
    assert torch.allclose(found, torch.tensor([[0.375, 0.625]]))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 100))
def test_rows_still_sum_to_one(sizes: list[int], seed: int) -> None:
    words = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes))
    weights = torch.softmax(torch.randn(2, len(words), len(words), generator=torch.manual_seed(seed)), -1)
    found = to_words(weights, words, words)
    assert found.shape == (2, len(sizes), len(sizes))
    assert torch.allclose(found.sum(-1), torch.ones(2, len(sizes)), atol=1e-5)

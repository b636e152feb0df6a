"""What words receive, written a second time."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.measures.received import received
from headscope.measures.words import word_maps


def maps(batch: int, heads: int, size: int, causal: bool = False) -> torch.Tensor:
    torch.manual_seed(0)
    scores = torch.randn(batch, heads, size, size)
    if causal:
        scores = scores.masked_fill(torch.ones(size, size, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(-1)


@pytest.mark.parametrize("causal", [False, True])
def test_as_word_maps_have_it(causal: bool) -> None:
    """Split words, pieces of no word, a text that is padded, and words that do not look."""
    weights = maps(2, 3, 6, causal)
    numbers = np.array([[-1, 0, 1, 1, 2, -1], [-1, 0, 1, -1, -2, -2]])
    looking = np.array([[True, False, True], [True, True, False]])
    special = np.array([[1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 1, 1]]) > 0
    taken = received(weights, numbers, looking, special)
    whole = word_maps(weights, numbers, 3)[..., :3]
    for text in range(2):
        own = whole[text][:, looking[text]]
        assert taken[text, :, 0] == pytest.approx(own.sum(1), abs=1e-6)
        assert taken[text, :, 1] == pytest.approx(own.max(1), abs=1e-6)


def test_samrank_by_its_formulas() -> None:
    """Scale each column by what its piece receives, normalise it, add up the rows: equations of the paper."""
    weights, numbers = maps(1, 2, 5), np.array([[-1, 0, 0, 1, -1]])
    special = np.array([[True, False, False, False, True]])
    taken = received(weights, numbers, np.ones((1, 2), bool), special)[0, :, 2]
    for head in range(2):
        map = weights[0, head].double().numpy()
        heard = np.where(special[0], 0, map.sum(0))
        scaled = map * heard
        with np.errstate(invalid="ignore"):
            shares = np.nan_to_num(scaled / scaled.sum(0))
        score = heard + shares.sum(1)
        assert taken[head] == pytest.approx([score[1] + score[2], score[3]], rel=1e-5)


def test_padding_does_not_matter() -> None:
    alone = maps(1, 2, 4)
    padded = torch.zeros(1, 2, 6, 6)
    padded[..., :4, :4] = alone
    padded[..., 4:, :] = 1 / 6
    numbers, special = np.array([[-1, 0, 1, -1]]), np.array([[1, 0, 0, 1]]) > 0
    wide, marks = np.array([[-1, 0, 1, -1, -2, -2]]), np.array([[1, 0, 0, 1, 1, 1]]) > 0
    looking = np.ones((1, 2), bool)
    first, second = received(alone, numbers, looking, special), received(padded, wide, looking, marks)
    assert first == pytest.approx(second, abs=1e-6)

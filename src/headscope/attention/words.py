"""From pieces to words: attention to a split word is summed, from it averaged (Clark et al. 2019, 4.1)."""

from __future__ import annotations

import torch


def to_words(weights: torch.Tensor, query_words: torch.Tensor, key_words: torch.Tensor) -> torch.Tensor:
    """Turn maps over pieces (..., query, key) into maps over words.

    query_words, key_words: the word number of each piece; pieces of one word share a number, special
    pieces have numbers of their own. Rows still sum to 1.

    >>> halves = torch.tensor([[0.5, 0.5], [1.0, 0.0]])
    >>> one_word = torch.tensor([0, 0])
    >>> to_words(halves, one_word, one_word)
    tensor([[1.]])
    """
    to = _membership(key_words).to(weights)
    frm = _membership(query_words).to(weights)
    return (frm / frm.sum(0)).T @ (weights @ to)


def _membership(words: torch.Tensor) -> torch.Tensor:
    """(piece, word) indicator; words in order of their first piece."""
    return words[:, None] == torch.arange(int(words.max()) + 1, device=words.device)


def number_all(words: torch.Tensor) -> torch.Tensor:
    """Give special pieces (word -1) numbers of their own, counting in reading order.

    >>> number_all(torch.tensor([-1, 0, 0, 1, -1]))
    tensor([0, 1, 1, 2, 3])
    """
    starts = torch.ones_like(words, dtype=torch.bool)
    starts[1:] = (words[1:] != words[:-1]) | (words[1:] < 0)
    return starts.cumsum(0) - 1

"""Attention between words written with torch: a second way to compute what `measures.words` compiles."""

from __future__ import annotations

import torch


def to_words(weights: torch.Tensor, query_words: torch.Tensor, key_words: torch.Tensor) -> torch.Tensor:
    """Turn maps over pieces (..., query, key) into maps over words (Clark et al. 2019, 4.1).

    query_words, key_words: the word number of each piece; pieces of one word share a number, special
    pieces have numbers of their own. Rows still sum to 1.
    """
    to, by = (_membership(words).to(weights) for words in (key_words, query_words))
    return (by / by.sum(0)).T @ (weights @ to)


def _membership(words: torch.Tensor) -> torch.Tensor:
    """(piece, word) indicator; words in order of their first piece."""
    return words[:, None] == torch.arange(int(words.max()) + 1, device=words.device)

"""How alike vectors are: where they are, any attention mixes the same."""

from __future__ import annotations

import torch


def conicity(vectors: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    """The mean cosine of a text's vectors with their mean, (text,) (Mohankumar et al. 2020, section 3.1).

    vectors: (text, piece, width). real: (text, piece) bool; a text without any has NaN. 1 where all point the
    same way; random vectors of n pieces have about 1 / sqrt(n).

    >>> states = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [3.0, 0.0]]])
    >>> conicity(states, torch.ones(2, 2, dtype=torch.bool)).tolist()
    [0.707..., 1.0]
    """
    counted = real[..., None].to(vectors)
    mean = (vectors * counted).sum(1, keepdim=True) / counted.sum(1, keepdim=True)
    cosines = torch.cosine_similarity(vectors, mean, dim=-1).nan_to_num()
    return (cosines * counted[..., 0]).sum(1) / counted[..., 0].sum(1)

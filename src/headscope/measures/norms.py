"""Norms of the vectors that attention mixes: a weight says how much of a vector is taken, not how long it is.

A head h takes from piece j the vector a_ij f_h(x_j), where f_h is its value map and its part of the output
projection. Norms of sums over heads come from products between heads, |sum_h a_h f_h|^2 = a' K a, so that
no array of (query, key, width) is made.
"""

from __future__ import annotations

import torch


def projected_lengths(values: torch.Tensor, matrices: torch.Tensor) -> torch.Tensor:
    """|f_h(x_j)|, (batch, head, key), of values (batch, head, key, dim) through matrices (head, dim, width).

    |v W|^2 = v (W W') v', which needs no vector of the whole width.

    >>> projected_lengths(torch.tensor([[[[1.0, 1.0]]]]), torch.tensor([[[3.0, 0.0], [0.0, 4.0]]]))
    tensor([[[5.]]])
    """
    squares = ((values @ (matrices @ matrices.transpose(-1, -2))) * values).sum(-1)
    return squares.clamp_min(0).sqrt()


def head_norms(weights: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """|a_ij f_h(x_j)| for each head, (batch, head, query, key): Kobayashi et al. 2020, equation 5.

    weights: (batch, head, query, key). lengths: (batch, head, key), |f_h(x_j)|.

    >>> head_norms(torch.tensor([[[[0.5, 0.5]]]]), torch.tensor([[[5.0, 1.0]]]))
    tensor([[[[2.5000, 0.5000]]]])
    """
    return weights * lengths[:, :, None]


def layer_norms(weights: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
    """|sum_h a_ij f_h(x_j)| of a layer, (batch, query, key): Kobayashi et al. 2020, section 3.2.

    weights: (batch, head, query, key). vectors: (batch, key, head, width).

    Two heads that take opposite vectors cancel each other:

    >>> both = torch.tensor([[[[3.0, 4.0], [-3.0, -4.0]]]])
    >>> layer_norms(torch.ones(1, 2, 1, 1), both), layer_norms(torch.tensor([[[[1.0]], [[0.0]]]]), both)
    (tensor([[[0.]]]), tensor([[[5.]]]))
    """
    products = vectors @ vectors.transpose(-1, -2)  # (batch, key, head, head)
    taken = weights.permute(0, 3, 2, 1).contiguous()  # (batch, key, query, head)
    squares = ((taken @ products) * taken).sum(-1)
    return squares.clamp_min(0).sqrt().transpose(1, 2)


def block_norms(weights: torch.Tensor, vectors: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """Norms of a layer's vectors where each query also keeps one of its own, (batch, query, key).

    weights: (batch, head, piece, piece). vectors: (batch, piece, head, width). own: (batch, piece, width),
    what goes past the attention. Kobayashi et al. 2021, equation 11, before the scale of the layer norm.

    >>> one = torch.ones(1, 1, 1, 1)
    >>> block_norms(one, torch.tensor([[[[3.0, 0.0]]]]), torch.tensor([[[0.0, 4.0]]]))
    tensor([[[5.]]])
    """
    norms = layer_norms(weights, vectors)
    at_itself = weights.diagonal(dim1=-2, dim2=-1).transpose(1, 2)[:, :, None]  # (batch, piece, 1, head)
    kept = (at_itself @ vectors)[:, :, 0] + own
    norms.diagonal(dim1=-2, dim2=-1).copy_(kept.norm(dim=-1))
    return norms


def rows_of_shares(norms: torch.Tensor) -> torch.Tensor:
    """Rows that sum to 1; one of zeros stays zero.

    >>> rows_of_shares(torch.tensor([[1.0, 3.0], [0.0, 0.0]]))
    tensor([[0.2500, 0.7500],
            [0.0000, 0.0000]])
    """
    total = norms.sum(-1, keepdim=True)
    return norms / total.where(total > 0, torch.ones_like(total))

"""What maps of several layers say together: products of maps, and relevance that gradients weigh."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from headscope.measures.norms import rows_of_shares


def with_residual(taken: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """Half of what a layer hands on comes past it: rows that sum to 1, (..., query, key).

    taken: its map. kept: the rows of the identity for its queries. Abnar and Zuidema 2020, section 3. A query
    that sees nothing keeps what it had.

    >>> with_residual(torch.tensor([[0.0, 1.0], [0.0, 0.0]]), torch.eye(2))
    tensor([[0.5000, 0.5000],
            [0.0000, 1.0000]])
    """
    return rows_of_shares(taken + kept)


def followed(rows: torch.Tensor, steps: Iterable[torch.Tensor]) -> torch.Tensor:
    """What rows (..., query) of the last layer have of each key of the first, (..., key): rollout.

    steps: the maps (..., query, key) of all layers, the last first. Abnar and Zuidema 2020, equation 1, for
    the rows alone that are asked for.

    >>> swap, stay = torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.eye(2)
    >>> followed(torch.tensor([0.25, 0.75]), [swap, stay, swap, swap])
    tensor([0.7500, 0.2500])
    """
    for step in steps:
        rows = (rows[..., None, :] @ step)[..., 0, :]
    return rows


def weighed_by_gradient(weights: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
    """Mean over heads of what both the weights and their gradients speak for, (..., query, key).

    weights, gradient: (..., head, query, key). Chefer et al. 2021, equation 5.

    >>> weights, gradient = [[[0.5, 0.5]], [[1.0, 0.0]]], [[[2.0, -4.0]], [[1.0, 1.0]]]
    >>> weighed_by_gradient(torch.tensor(weights), torch.tensor(gradient))
    tensor([[1., 0.]])
    """
    return (weights * gradient).clamp_min(0).mean(-3)


def relevance(own: Iterable[torch.Tensor]) -> torch.Tensor:
    """Relevance of every piece for every other after self-attention, (..., query, key), the lowest first.

    R starts as the identity, and each layer adds its weighed map times R: Chefer et al. 2021, equation 6.

    >>> relevance([torch.tensor([[0.0, 1.0], [0.0, 0.0]]), torch.tensor([[0.0, 0.0], [0.5, 0.0]])])
    tensor([[1.0000, 1.0000],
            [0.5000, 1.5000]])
    """
    total: torch.Tensor | None = None
    for step in own:
        if total is None:
            total = torch.eye(step.shape[-1], dtype=step.dtype, device=step.device).expand_as(step)
        total = total + step @ total
    assert total is not None, "no layer to go through"
    return total


def normalised_relevance(relevance: torch.Tensor) -> torch.Tensor:
    """What others gave, in rows that sum to 1, beside a whole part of one's own.

    Chefer et al. 2021, equations 8 and 9.

    >>> normalised_relevance(torch.tensor([[1.0, 3.0], [0.0, 1.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    identity = torch.eye(relevance.shape[-1], dtype=relevance.dtype, device=relevance.device)
    given = relevance - identity
    total = given.sum(-1, keepdim=True)
    return given / total.where(total > 0, torch.ones_like(total)) + identity


def crossed_relevance(
    target: torch.Tensor, source: torch.Tensor, own: torch.Tensor, cross: torch.Tensor, encoded: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Relevance of target pieces and of source pieces after one layer of a decoder.

    target: (..., query, query) and source: (..., query, key) so far. own, cross: the weighed maps of its
    self-attention and its cross-attention. encoded: relevance within the encoder, (..., key, key).
    Chefer et al. 2021, equations 6, 7 and 10.

    >>> one, none = torch.ones(1, 1), torch.zeros(1, 1)
    >>> crossed_relevance(one, none, one, 0.5 * one, torch.eye(1))
    (tensor([[2.]]), tensor([[1.]]))
    """
    source = source + own @ source
    target = target + own @ target
    added = normalised_relevance(target).transpose(-1, -2) @ cross @ normalised_relevance(encoded)
    return target, source + added

"""Gradients with respect to the vectors that a model reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from headscope.attention import Edit
from headscope.attention.edit import Replace
from headscope.explainers.asked import Asked, kept
from headscope.explainers.blank import blank_of, blanked, why_no_blank
from headscope.explainers.embedding import reading, vectors_of
from headscope.explainers.explainer import Cost, Explainer, both_ways, why_weights_stay
from headscope.explainers.hearing import frozen

LEAST, MOST = 16, 2048
"""Points of integration: doubled until the sum is right to `SLACK`."""

SLACK, ROWS = 0.008, 64
"""Share of the difference that may be missing, and texts that are run together."""


def _slopes(
    apart: Asked, vectors: list[torch.Tensor], edits: Sequence[Edit] = ()
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """The logits (answer,) of texts made of these vectors, and their gradients, like the vectors."""
    leaves = [vector.detach().requires_grad_() for vector in vectors]
    with apart.attached(edits=edits) as module, frozen(module), reading(apart.model, leaves):
        values = apart.values(apart.run(module))
        slopes = torch.autograd.grad(values.sum(), leaves, allow_unused=True, materialize_grads=True)
    return values.detach(), list(slopes)


def _joined(parts: list[torch.Tensor]) -> torch.Tensor:
    """Numbers of source and target side by side, (answer, piece)."""
    return torch.cat([part.double() for part in parts], 1)


def _saliency(asked: Asked) -> torch.Tensor:
    """The length of the gradient."""
    apart = asked.apart()
    _, slopes = _slopes(apart, vectors_of(apart, apart.ids))
    return _joined([slope.norm(dim=-1) for slope in slopes])


def _gradient_input(asked: Asked, edits: Sequence[Edit] = ()) -> torch.Tensor:
    """The gradient times the vector itself."""
    apart = asked.apart()
    vectors = vectors_of(apart, apart.ids)
    _, slopes = _slopes(apart, vectors, edits)
    return _joined([(slope * vector).sum(-1) for slope, vector in zip(slopes, vectors, strict=True)])


def _gradient_detached(asked: Asked) -> torch.Tensor:
    """The same, attention being held as it is: what a vector does through weights does not count."""
    held = Replace(asked.model.heads(), lambda weights, heard: weights.detach())
    return _gradient_input(asked, [held])


@dataclass(frozen=True)
class Integrated:
    """importance: (answer, piece). points: (answer,) all that were tried. missing: (answer,) the share of the
    difference that the sum misses, or of a tenth of all importance where the difference is smaller still."""

    importance: torch.Tensor
    points: torch.Tensor
    missing: torch.Tensor


@kept
def integrated(asked: Asked) -> Integrated:
    """The gradient times the way from a blank text, mean over the way: Sundararajan et al. 2017, equation 1.

    Points and their weights are those of Gauss and Legendre; special pieces stay where they are.
    """
    apart = asked.apart()
    blank = blank_of(apart.model)
    assert blank is not None
    start, end = vectors_of(apart, blanked(apart, blank)), vectors_of(apart, apart.ids)
    ways = [last - first for first, last in zip(start, end, strict=True)]
    difference = (_slopes(apart, end)[0] - _slopes(apart, start)[0]).double()
    importance = torch.zeros(apart.seen.shape, dtype=torch.float64, device=apart.texts.device)
    used, missing = torch.zeros_like(apart.texts), torch.full_like(difference, torch.inf)
    left, points = torch.arange(len(importance), device=importance.device), LEAST
    while len(left) and points <= MOST:
        found = _along(apart, left, start, ways, points)
        importance[left] = found
        used[left] += points
        wrong = (found.sum(1) - difference[left]).abs()
        scale = torch.maximum(difference[left].abs(), 0.1 * found.abs().sum(1))
        missing[left] = torch.where(wrong > 0, wrong / scale, 0.0)
        left, points = left[missing[left] > SLACK], 2 * points
    return Integrated(importance, used, missing)


def _along(
    apart: Asked, rows: torch.Tensor, start: list[torch.Tensor], ways: list[torch.Tensor], points: int
) -> torch.Tensor:
    """The integral of some answers over so many points, (row, piece); several points are run together."""
    nodes, shares = np.polynomial.legendre.leggauss(points)
    where, weights = (torch.from_numpy(array / 2).to(start[0]) for array in (nodes + 1, shares))
    total = torch.zeros(len(rows), apart.seen.shape[1], dtype=torch.float64, device=rows.device)
    for some in torch.split(torch.arange(points, device=rows.device), max(1, ROWS // len(rows))):
        copies = rows.repeat(len(some))
        place = where[some].repeat_interleave(len(rows))[:, None, None]
        there = [first[copies] + place * way[copies] for first, way in zip(start, ways, strict=True)]
        _, slopes = _slopes(apart.some(copies), there)
        products = _joined([(slope * way[copies]).sum(-1) for slope, way in zip(slopes, ways, strict=True)])
        total += torch.einsum("p,pab->ab", weights[some].double(), products.reshape(len(some), *total.shape))
    return total


def _points_used(asked: Asked) -> Cost:
    """Both ends of the way, and every point of every try."""
    passes = 2 + float(integrated(asked).points.double().mean())
    return Cost(passes, passes)


GRADIENTS = (
    Explainer(
        "saliency", "length of the gradient", "Simonyan et al. 2014", "gradients", both_ways, _saliency
    ),
    Explainer(
        "gradient-input", "gradient x input", "Denil et al. 2014", "gradients", both_ways, _gradient_input,
        signed=True,
    ),
    Explainer(
        "gradient-detached", "gradient x input, attention held", "Jain and Wallace 2019", "gradients",
        both_ways, _gradient_detached, why_weights_stay, signed=True,
    ),
    Explainer(
        "integrated-gradients", "integrated gradients", "Sundararajan et al. 2017", "gradients",
        _points_used, lambda asked: integrated(asked).importance, why_no_blank, signed=True,
    ),
)  # fmt: skip

"""Gradients with respect to the vectors that a model reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
import torch

from headscope.attention import Edit
from headscope.attention.edit import Replace
from headscope.explainers.asked import Asked, kept
from headscope.explainers.blank import blank_of, blanked, why_no_blank
from headscope.explainers.embedding import reading, vectors_of
from headscope.explainers.explainer import Cost, Explainer, both_ways, why_weights_stay
from headscope.explainers.hearing import frozen

POINTS, MOST = 16, 4096
"""Points of integration on a stretch of the way, and passes after which no stretch of an answer is halved."""

SLACK, APIECE, ROWS = 0.008, 4, 64
"""Share of the difference that may be missing; how many times as much stretches may miss that make up for
each other; and texts that are run together."""


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
    """importance: (answer, piece). passes: (answer,) all that were made. missing: (answer,) the share of the
    difference that the sum misses, or of a tenth of all importance where the difference is smaller still."""

    importance: torch.Tensor
    passes: torch.Tensor
    missing: torch.Tensor


@dataclass(frozen=True)
class _Stretches:
    """Parts of the ways of some answers.

    rows: (stretch,) of which answer. low, high: (stretch,) ends of it, between 0 and 1. integral: (stretch,
    piece) over it. gained: (stretch,) what the logit gains on it.
    """

    rows: torch.Tensor
    low: torch.Tensor
    high: torch.Tensor
    integral: torch.Tensor = field(default_factory=lambda: torch.empty(0))
    gained: torch.Tensor = field(default_factory=lambda: torch.empty(0))

    def wrong(self) -> torch.Tensor:
        """By how much each integral misses what is gained, (stretch,)."""
        return (self.integral.sum(1) - self.gained).abs()

    def summed(self, numbers: torch.Tensor, answers: int) -> torch.Tensor:
        """Numbers (stretch, ...) of each answer together, (answer, ...)."""
        return numbers.new_zeros(answers, *numbers.shape[1:]).index_add_(0, self.rows, numbers)

    def halves(self, which: torch.Tensor) -> _Stretches:
        """Both halves of some, still without integrals."""
        rows, low, high = self.rows[which], self.low[which], self.high[which]
        middle = (low + high) / 2
        return _Stretches(torch.cat([rows, rows]), torch.cat([low, middle]), torch.cat([middle, high]))

    def without(self, which: torch.Tensor) -> _Stretches:
        return _Stretches(*(getattr(self, each.name)[~which] for each in fields(self)))

    def joined(self, more: _Stretches) -> _Stretches:
        parts = ([getattr(one, each.name) for one in (self, more)] for each in fields(self))
        return _Stretches(*(torch.cat(pair) for pair in parts))


@kept
def integrated(asked: Asked) -> Integrated:
    """The gradient times the way from a blank text, mean over the way: Sundararajan et al. 2017, equation 1.

    Points and their weights are those of Gauss and Legendre; special pieces stay where they are. What the
    logit gains on any stretch of the way is known from its ends, and so where the integral is wrong: such
    stretches are halved until all of an answer together miss no more than `SLACK`.
    """
    apart = asked.apart()
    blank = blank_of(apart.model)
    assert blank is not None
    start, end = vectors_of(apart, blanked(apart, blank)), vectors_of(apart, apart.ids)
    ways = [last - first for first, last in zip(start, end, strict=True)]
    every = torch.arange(len(apart.texts), device=apart.texts.device)
    zeros = torch.zeros(len(every), dtype=torch.float64, device=every.device)
    stretches = _along(apart, _Stretches(every, zeros, zeros + 1), start, ways)
    difference, passes = stretches.gained, torch.full_like(every, POINTS + 2)
    while True:
        importance = stretches.summed(stretches.integral, len(every))
        scale = torch.maximum(difference.abs(), 0.1 * importance.abs().sum(1))
        wrong = stretches.wrong()
        missed = (importance.sum(1) - difference).abs()
        apiece = stretches.summed(wrong, len(every))
        bad = ((missed > SLACK * scale) | (apiece > APIECE * SLACK * scale)) & (passes < MOST)
        # Were none above its part of what may be missing, all together would not be either.
        part = SLACK * scale / torch.bincount(stretches.rows, minlength=len(every))
        halved = bad[stretches.rows] & (wrong > part[stretches.rows])
        if not bool(halved.any()):
            break
        halves = _along(apart, stretches.halves(halved), start, ways)
        passes += (POINTS + 2) * torch.bincount(halves.rows, minlength=len(every))
        stretches = stretches.without(halved).joined(halves)
    return Integrated(importance, passes, torch.where(missed > 0, missed / scale, 0.0))


def _along(
    apart: Asked, stretches: _Stretches, start: list[torch.Tensor], ways: list[torch.Tensor]
) -> _Stretches:
    """The stretches with their integrals and what is gained on them; several points are run together."""
    nodes, shares = np.polynomial.legendre.leggauss(POINTS)
    device = stretches.rows.device
    within = torch.from_numpy(np.concatenate([[0.0], (nodes + 1) / 2, [1.0]])).to(device)
    weights = torch.from_numpy(np.concatenate([[0.0], shares / 2, [0.0]])).to(device)
    parts, gained = [], []
    for some in torch.split(torch.arange(len(stretches.rows), device=device), max(1, ROWS // len(within))):
        low, long = stretches.low[some], stretches.high[some] - stretches.low[some]
        copies = stretches.rows[some].repeat_interleave(len(within))
        place = (low[:, None] + long[:, None] * within).reshape(-1, 1, 1).to(start[0])
        there = [first[copies] + place * way[copies] for first, way in zip(start, ways, strict=True)]
        values, slopes = _slopes(apart.some(copies), there)
        products = _joined([(slope * way[copies]).sum(-1) for slope, way in zip(slopes, ways, strict=True)])
        products = products.reshape(len(some), len(within), -1)
        parts.append(long[:, None] * torch.einsum("n,snp->sp", weights, products))
        ends = values.double().reshape(len(some), -1)
        gained.append(ends[:, -1] - ends[:, 0])
    return replace(stretches, integral=torch.cat(parts), gained=torch.cat(gained))


def _points_used(asked: Asked) -> Cost:
    """Both ends and every point of every stretch."""
    passes = float(integrated(asked).passes.double().mean())
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

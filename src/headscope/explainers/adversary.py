"""Attention that looks elsewhere and answers alike, sought for each answer.

Jain and Wallace 2019, section 4.2.2. Several copies of the deciding weights are moved away from the model's
own and from each other, while what is answered must stay; all copies of all answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from headscope.attention import Site
from headscope.errors import ModelError
from headscope.explainers.asked import Asked
from headscope.explainers.deciding import deciding
from headscope.explainers.explainer import why_weights_stay
from headscope.explainers.given_attention import Scope, generators, sites_in
from headscope.explainers.keys import keys_seen
from headscope.explainers.mixing import is_linear
from headscope.explainers.removal import PIECES
from headscope.explainers.responding import DecidingRows, Responding, Weights, by_passes, without_a_pass
from headscope.measures.information import divergence_slope, jensen_shannon, total_variation

EPSILON = 0.05
"""How far the answer may move for an adversary to count, as total variation."""


class Search(NamedTuple):
    """copies: of each answer. steps, rate: of Adam with amsgrad. allowed: total variation that costs nothing.

    cost: of what is above it. spread: of the normal numbers that the logits start from. As published.
    """

    copies: int = 5
    steps: int = 500
    rate: float = 0.01
    allowed: float = 0.01
    cost: float = 500.0
    spread: float = 3.0


PUBLISHED = Search()

QUICK = Search(steps=60, rate=0.1)
"""Finds attention as far away (a median of .557, not .548, on a BiLSTM for SST) in an eighth of the time."""


@dataclass(frozen=True, eq=False)
class Adversaries:
    """Copies of the weights of deciding rows, and what they come to.

    divergence: (answer, copy) Jensen-Shannon divergence from the model's own weights, in nats, mean over
    rows, heads and layers. variation: (answer, copy) total variation of what is answered, half of the sum of
    differences over all entries. weights: by site (answer, copy, head, query or 1, key).
    """

    divergence: torch.Tensor
    variation: torch.Tensor
    weights: dict[Site, torch.Tensor]

    @property
    def half_variation(self) -> torch.Tensor:
        """The variation as Wiegreffe and Pinter 2019 print it for two classes: of one output of the two."""
        return self.variation / 2

    def furthest(self, epsilon: float = EPSILON) -> torch.Tensor:
        """The largest divergence among copies that answer alike, (answer,); the model's own counts as one.

        This is the epsilon-max-JSD of Jain and Wallace 2019.
        """
        return self.alike(epsilon)[0].nan_to_num(0.0)

    def alike(self, epsilon: float = EPSILON) -> tuple[torch.Tensor, torch.Tensor]:
        """Divergence and variation of the furthest copy that answers alike, (answer,) each; NaN for none."""
        is_alike = self.variation <= epsilon
        far, which = self.divergence.masked_fill(~is_alike, -1.0).max(1)
        nothing = torch.full_like(far, torch.nan)
        moved = self.variation.gather(1, which[:, None])[:, 0]
        return far.where(far >= 0, nothing), moved.where(far >= 0, nothing)


def adversaries(
    asked: Asked,
    scope: Scope = "last",
    search: Search | None = None,
    seed: int = 0,
    epsilon: float = EPSILON,
) -> Adversaries:
    """Adversaries of every answer, over the deciding rows of the last layer, of one layer or of all.

    search: by default as published where that needs no passes, else the quick one. epsilon: how far an answer
    may move to count as alike; the search keeps well below it.
    """
    reason = why_weights_stay(asked.model)
    if reason is not None:
        raise ModelError(f"attention of {asked.model.name} cannot be given: {reason}")
    sites, rows = sites_in(asked.model, scope), deciding(asked)
    if search is None:
        search = PUBLISHED if is_linear(asked.model) else QUICK
    search = search._replace(allowed=min(search.allowed, epsilon / 5))
    one_row = bool(((rows > 0).sum(1) == 1).all())
    starts = {site: _start(asked, site, rows, one_row, search, seed) for site in sites}
    if is_linear(asked.model):
        return _sought(without_a_pass(asked), starts, search)
    apart, parts = asked.apart(), []
    room = max(1, PIECES // (sum(asked.sizes) * search.copies))
    for some in torch.split(torch.arange(len(rows), device=rows.device), room):
        own_rows = DecidingRows(sites, rows[some], one_row)
        with by_passes(apart.some(some), own_rows, search.copies) as responding:
            parts.append(_sought(responding, {site: starts[site][some] for site in sites}, search))
    return Adversaries(
        torch.cat([part.divergence for part in parts]),
        torch.cat([part.variation for part in parts]),
        {site: torch.cat([part.weights[site] for part in parts]) for site in sites},
    )


def _sought(case: Responding, starts: Weights, search: Search) -> Adversaries:
    logits = {site: start.to(case.own[site].dtype).clone().requires_grad_() for site, start in starts.items()}
    adam = torch.optim.Adam(logits.values(), lr=search.rate, amsgrad=True)
    answered = case.respond(case.own).detach()
    for _ in range(search.steps):
        weights = _softmax(logits, case.visible)
        slopes = _of_answers(case, weights, answered, search)
        for site, own in weights.items():
            slope = slopes[site] - _of_distances(own, case.own[site]) * case.counts / _heads(weights)
            logits[site].grad = own * (slope - (own * slope).sum(-1, keepdim=True))
        adam.step()
    weights = _softmax(logits, case.visible)
    far = [
        (jensen_shannon(own, case.own[site]).clamp_min(0) * case.counts[..., 0]).sum((2, 3))
        for site, own in weights.items()
    ]
    divergence = torch.stack(far).sum(0) / _heads(weights)
    with torch.no_grad():
        variation = total_variation(case.respond(weights), answered)
    return Adversaries(divergence, variation, weights)


def _softmax(logits: Weights, visible: Weights) -> Weights:
    """Weights of no graph; a row that sees nothing is zero."""
    return {
        site: torch.softmax(each.detach().masked_fill(~seen, torch.finfo(each.dtype).min), -1) * seen
        for (site, each), seen in zip(logits.items(), visible.values(), strict=True)
    }


def _heads(weights: Weights) -> int:
    return sum(each.shape[2] for each in weights.values())


def _of_answers(case: Responding, weights: Weights, answered: torch.Tensor, search: Search) -> Weights:
    """The gradient of what it costs that answers move further than is allowed."""
    leaves = {site: own.requires_grad_() for site, own in weights.items()}
    with torch.enable_grad():
        moved = total_variation(case.respond(leaves), answered) - search.allowed
        cost = search.cost * moved.clamp_min(0).sum()
    slopes = torch.autograd.grad(cost, list(leaves.values()))
    for own in weights.values():
        own.requires_grad_(False)
    return dict(zip(weights, slopes, strict=True))


def _of_distances(weights: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """The gradient of the divergence from the model's own weights, and of the mean over pairs of copies."""
    copies = weights.shape[1]
    first, second = torch.triu_indices(copies, copies, 1, device=weights.device)
    one, other = weights[:, first], weights[:, second]
    between = torch.zeros_like(weights)
    between.index_add_(1, first, divergence_slope(one, other))
    between.index_add_(1, second, divergence_slope(other, one))
    return divergence_slope(weights, own) + between * (2 / copies**2)


def _start(
    asked: Asked, site: Site, rows: torch.Tensor, one_row: bool, search: Search, seed: int
) -> torch.Tensor:
    """Normal numbers (answer, copy, head, row, key), the same for a text in every batch."""
    seen, places = keys_seen(asked, site).cpu().numpy(), (rows > 0).cpu().numpy()
    shape = (len(seen), search.copies, site.heads, 1 if one_row else places.shape[1], seen.shape[1])
    drawn = np.zeros(shape, np.float32)
    for answer, random in enumerate(generators(asked, seed, site)):
        queries = np.array([0]) if one_row else np.flatnonzero(places[answer])
        keys = np.flatnonzero(seen[answer])
        numbers = random.standard_normal((*shape[1:3], len(queries), len(keys)), np.float32)
        drawn[answer][..., queries[:, None], keys] = search.spread * numbers
    return torch.from_numpy(drawn).to(asked.texts.device)

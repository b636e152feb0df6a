"""Attention that looks elsewhere and answers alike, sought for each answer.

Jain and Wallace 2019, section 4.2.2. Several copies of the deciding weights are moved away from the model's
own and from each other, while what is answered must stay; all copies of all answers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.attention.replay import Replay
from headscope.errors import ModelError
from headscope.explainers.asked import Asked
from headscope.explainers.deciding import deciding
from headscope.explainers.explainer import why_weights_stay
from headscope.explainers.given_attention import (
    Copies,
    GivenRows,
    Scope,
    generators,
    keys_of,
    sites_in,
)
from headscope.explainers.hearing import frozen
from headscope.explainers.mixing import is_linear, mixing_of
from headscope.explainers.removal import PIECES
from headscope.measures.information import divergence_slope, jensen_shannon, total_variation

Weights = dict[Site, torch.Tensor]

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
        alike = self.variation <= epsilon
        return self.divergence.masked_fill(~alike, 0.0).amax(1)


@dataclass(frozen=True, eq=False)
class _Case:
    """Some answers, by site their own weights and what is visible, (answer, 1, head, row, key).

    counts: (answer, 1, 1, row, 1) how much a row decides. respond: probabilities (answer, copy, entry) under
    other weights. Where each answer is decided in one row, there is one; else there is one for each query.
    """

    own: Weights
    visible: Weights
    counts: torch.Tensor
    respond: Callable[[Weights], torch.Tensor]


def adversaries(
    asked: Asked, scope: Scope = "last", search: Search = PUBLISHED, seed: int = 0
) -> Adversaries:
    """Adversaries of every answer, over the deciding rows of the last layer, of one layer or of all."""
    reason = why_weights_stay(asked.model)
    if reason is not None:
        raise ModelError(f"attention of {asked.model.name} cannot be given: {reason}")
    sites, rows = sites_in(asked.model, scope), deciding(asked)
    starts = {site: _start(asked, site, rows, search, seed) for site in sites}
    if is_linear(asked.model):
        return _sought(_linear(asked), starts, search)
    apart, parts = asked.apart(), []
    room = max(1, PIECES // (sum(asked.sizes) * search.copies))
    for some in torch.split(torch.arange(len(rows), device=rows.device), room):
        with _through_model(apart.some(some), rows[some], sites, search.copies) as case:
            parts.append(_sought(case, {site: starts[site][some] for site in sites}, search))
    return Adversaries(
        torch.cat([part.divergence for part in parts]),
        torch.cat([part.variation for part in parts]),
        {site: torch.cat([part.weights[site] for part in parts]) for site in sites},
    )


def _sought(case: _Case, starts: Weights, search: Search) -> Adversaries:
    logits = {site: start.clone().requires_grad_() for site, start in starts.items()}
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


def _of_answers(case: _Case, weights: Weights, answered: torch.Tensor, search: Search) -> Weights:
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


def _linear(asked: Asked) -> _Case:
    """A net that needs no pass."""
    mixing = mixing_of(asked)
    real = torch.from_numpy(asked.sides.source.real).to(asked.texts.device)[asked.texts]

    def respond(weights: Weights) -> torch.Tensor:
        return mixing.logits(weights[mixing.site][:, :, 0, 0]).softmax(-1)

    counts = torch.ones(len(real), 1, 1, 1, 1, device=real.device)
    own, visible = (each[:, None, None, None] for each in (mixing.weights, real))
    return _Case({mixing.site: own}, {mixing.site: visible}, counts, respond)


@contextmanager
def _through_model(apart: Asked, rows: torch.Tensor, sites: list[Site], copies: int) -> Iterator[_Case]:
    """Any model: what lies below the first changed layer is run once."""
    single = _single(rows)
    place = rows.argmax(1)[:, None, None, None]
    heard = _Hearing(sites)
    numbers = torch.arange(len(rows), device=rows.device).repeat_interleave(copies)
    heads = [head for site in sites for head in site]
    now: Weights = {}

    def weigh(heard: Heard, copies: Copies) -> torch.Tensor:
        return now[heard.site].flatten(0, 1)

    edit = GivenRows(sites, rows[numbers] > 0, weigh, Copies(numbers, numbers))
    copied, replay = apart.some(numbers), Replay(apart.model.module, apart.model.sites)
    with apart.attached() as module, frozen(module):
        with torch.no_grad(), apart.attached([heard]):
            apart.run(module)
        with torch.no_grad(), replay.recording():
            copied.run(module)

        def respond(weights: Weights) -> torch.Tensor:
            now.update({site: each.expand(-1, copies, -1, -1, -1) for site, each in weights.items()})
            with copied.attached(edits=[edit]), replay.below(heads):
                logits = copied.answers(copied.run(module))
            return logits.softmax(-1).reshape(len(rows), copies, -1)

        def of(maps: Weights) -> Weights:
            chosen = {
                site: each.gather(2, place.expand(-1, each.shape[1], 1, each.shape[3])) if single else each
                for site, each in maps.items()
            }
            return {site: each[:, None] for site, each in chosen.items()}

        counts = torch.ones_like(rows[:, :1]) if single else rows
        yield _Case(
            of(heard.maps),
            of(heard.visible),
            counts[:, None, None, :, None].to(heard.maps[sites[0]]),
            respond,
        )


class _Hearing:
    """Keeps the maps of some sites, and what is visible in them."""

    needs: Need = "map"

    def __init__(self, sites: list[Site]) -> None:
        self.maps: Weights = dict.fromkeys(sites, torch.empty(0))
        self.visible: Weights = dict(self.maps)

    def hear(self, heard: Heard) -> None:
        if heard.site in self.maps:
            self.maps[heard.site] = heard.weights.detach()
            self.visible[heard.site] = heard.visible.expand_as(heard.weights)


def _single(rows: torch.Tensor) -> bool:
    """Whether each answer is decided in one row."""
    return bool(((rows > 0).sum(1) == 1).all())


def _start(asked: Asked, site: Site, rows: torch.Tensor, search: Search, seed: int) -> torch.Tensor:
    """Normal numbers (answer, copy, head, row, key), the same for a text in every batch."""
    seen = asked.seen[:, keys_of(asked, site)].cpu().numpy()
    places = (rows > 0).cpu().numpy()
    single = _single(rows)
    shape = (len(seen), search.copies, site.heads, 1 if single else places.shape[1], seen.shape[1])
    drawn = np.zeros(shape, np.float32)
    for answer, random in enumerate(generators(asked, seed, site.layer)):
        queries = np.array([0]) if single else np.flatnonzero(places[answer])
        keys = np.flatnonzero(seen[answer])
        numbers = random.standard_normal((*shape[1:3], len(queries), len(keys)), np.float32)
        drawn[answer][..., queries[:, None], keys] = search.spread * numbers
    return torch.from_numpy(drawn).to(asked.texts.device)

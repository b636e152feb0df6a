"""What is answered to other weights in deciding rows, asked again and again, with gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import torch

from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.attention.replay import Replay
from headscope.explainers.asked import Asked
from headscope.explainers.given_attention import Copies, GivenRows
from headscope.explainers.hearing import frozen
from headscope.explainers.keys import keys_seen
from headscope.explainers.mixing import mixing_of

Weights = dict[Site, torch.Tensor]
"""By site (answer, copy, head, row, key)."""


@dataclass(frozen=True, eq=False)
class Responding:
    """Some answers: by site their own weights and what is visible, (answer, 1, head, row, key).

    counts: (answer, 1, 1, row, 1) how much a row decides. respond: probabilities (answer, copy, entry) under
    other weights. Where each answer is decided in one row, there is one; else there is one for each query.
    """

    own: Weights
    visible: Weights
    counts: torch.Tensor
    respond: Callable[[Weights], torch.Tensor]


class DecidingRows(NamedTuple):
    """rows: (answer, query) how much each query decides. one_row: whether each answer has one alone."""

    sites: list[Site]
    rows: torch.Tensor
    one_row: bool

    def of(self, maps: Weights) -> Weights:
        """These rows of maps (answer, head, query, key), as (answer, 1, head, row, key)."""
        if not self.one_row:
            return {site: each[:, None] for site, each in maps.items()}
        place = self.rows.argmax(1)[:, None, None, None]
        return {
            site: each.gather(2, place.expand(-1, each.shape[1], 1, each.shape[3]))[:, None]
            for site, each in maps.items()
        }


def without_a_pass(asked: Asked) -> Responding:
    """A net whose answer is linear in its weights."""
    mixing = mixing_of(asked)
    real = keys_seen(asked, mixing.site)

    def respond(weights: Weights) -> torch.Tensor:
        return mixing.logits(weights[mixing.site][:, :, 0, 0]).softmax(-1)

    counts = torch.ones(len(real), 1, 1, 1, 1, device=real.device)
    own, visible = (each[:, None, None, None] for each in (mixing.weights, real))
    return Responding({mixing.site: own}, {mixing.site: visible}, counts, respond)


@contextmanager
def by_passes(apart: Asked, deciding: DecidingRows, copies: int) -> Iterator[Responding]:
    """Any model, for so many copies of each answer; what lies below the first changed layer is run once."""
    sites, rows, _ = deciding
    heard, heads = _Hearing(sites), [head for site in sites for head in site]
    numbers = torch.arange(len(rows), device=rows.device).repeat_interleave(copies)
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
            return _fine(logits).softmax(-1).reshape(len(rows), copies, -1)

        own = deciding.of({site: _fine(each) for site, each in heard.maps.items()})
        counts = torch.ones_like(rows[:, :1]) if deciding.one_row else rows
        counts = counts[:, None, None, :, None].to(own[sites[0]])
        yield Responding(own, deciding.of(heard.visible), counts, respond)


def _fine(numbers: torch.Tensor) -> torch.Tensor:
    """At least float32: a search moves in small steps."""
    return numbers.to(torch.promote_types(numbers.dtype, torch.float32))


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

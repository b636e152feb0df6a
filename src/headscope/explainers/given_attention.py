"""What is answered when the rows of attention that decide have other weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
import torch

from headscope.attention import Heard, Site
from headscope.attention.edit import Erase, Uniform, WeightEdit, shuffled
from headscope.attention.replay import Replay
from headscope.errors import ModelError, OptionError
from headscope.explainers.asked import Asked
from headscope.explainers.attention import stacks_at
from headscope.explainers.deciding import deciding
from headscope.explainers.explainer import why_weights_stay
from headscope.explainers.keys import keys_gone, keys_seen
from headscope.explainers.mixing import is_linear, mixing_of
from headscope.explainers.removal import PIECES
from headscope.heads import STACKS
from headscope.models import Model

Scope = Literal["last", "all"] | int
"""The layers whose deciding rows are changed: the last, all, or one by its number."""


class Copies(NamedTuple):
    """Rows that are run together: the answer (row,) that each is a copy of, the number (row,) of its draw."""

    answers: torch.Tensor
    draws: torch.Tensor


Weigh = Callable[[Heard, Copies], torch.Tensor]
"""Weights that broadcast to those that are heard, (row, head, query, key), in their place."""

Told = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""What is kept of answers (row,) and their log probabilities (row, entry): (row, ...)."""


def even(heard: Heard, copies: Copies) -> torch.Tensor:
    """The same weight for each visible key."""
    return Uniform(()).change(heard.weights, heard.visible, heard)


def removed(heard: Heard, copies: Copies) -> torch.Tensor:
    """No weight at all: the heads hand nothing on."""
    return torch.zeros_like(heard.weights)


def erased(asked: Asked, pieces: torch.Tensor) -> Weigh:
    """The weights of sets of pieces, bool (answer, set, piece), taken away and the others' made to sum to 1.

    Serrano and Smith 2019, section 3; a draw is a set. A row of which nothing is left stays all zero. Where
    sentences are looked at, as in their hierarchical nets, one is taken away with all of its pieces.
    """
    gone = cache(lambda site: keys_gone(asked, site, pieces))

    def weigh(heard: Heard, copies: Copies) -> torch.Tensor:
        return Erase((), gone(heard.site)[copies.answers, copies.draws]).change(
            heard.weights, heard.visible, heard
        )

    return weigh


def permuted(asked: Asked, draws: int, seed: int = 0) -> Weigh:
    """Each head's weights in another order over its visible keys, drawn from the seed and the text."""
    drawn: dict[Site, torch.Tensor] = {}

    def weigh(heard: Heard, copies: Copies) -> torch.Tensor:
        if heard.site not in drawn:
            drawn[heard.site] = _drawn(asked, heard.site, draws, seed)
        keys = drawn[heard.site][copies.answers, copies.draws][:, :, None]
        return shuffled(heard.weights, heard.visible, keys.to(heard.weights.device))

    return weigh


def given(weights: Mapping[Site, torch.Tensor]) -> Weigh:
    """Weights (answer, draw, head, query or 1, key) by site."""
    return lambda heard, copies: weights[heard.site][copies.answers, copies.draws]


def answers_given(
    asked: Asked, weigh: Weigh, draws: int = 1, scope: Scope = "last", told: Told | None = None
) -> torch.Tensor:
    """Log probabilities of all that could be answered, float64 (answer, draw, entry), under other weights.

    Only rows that decide are changed: what other pieces look at stays. Layers below the first that is changed
    are run once for all draws. told: what to keep of each answer instead, (answer, draw, ...).
    """
    found: torch.Tensor | None = None
    for copies, logits in _runs(asked, weigh, draws, scope):
        chances = logits.double().log_softmax(-1)
        each = chances if told is None else told(copies.answers, chances)
        if found is None:
            found = each.new_empty(len(asked.texts), draws, *each.shape[1:])
        found[copies.answers, copies.draws] = each
    assert found is not None
    return found


def sites_in(model: Model, scope: Scope) -> list[Site]:
    """The sites whose deciding rows are meant."""
    found = []
    for stack in stacks_at(model):
        sites = model.sites_of(stack)
        found += sites[-1:] if scope == "last" else sites if scope == "all" else sites[scope : scope + 1]
    if not found:
        raise OptionError(f"the model has no layer {scope} that answers are given at")
    return found


def _runs(asked: Asked, weigh: Weigh, draws: int, scope: Scope) -> Iterator[tuple[Copies, torch.Tensor]]:
    """Copies, and logits (row, entry)."""
    reason = why_weights_stay(asked.model)
    if reason is not None:
        raise ModelError(f"attention of {asked.model.name} cannot be given: {reason}")
    sites = sites_in(asked.model, scope)
    return _mixed(asked, weigh, draws) if is_linear(asked.model) else _run(asked, weigh, draws, sites)


def _mixed(asked: Asked, weigh: Weigh, draws: int) -> Iterator[tuple[Copies, torch.Tensor]]:
    """Without a pass, where the answer is linear in the weights."""
    mixing = mixing_of(asked)
    real = keys_seen(asked, mixing.site)
    for copies in _portions(asked, draws):
        weights = mixing.weights[copies.answers][:, None, None]
        rows = torch.zeros(1, dtype=torch.long, device=weights.device)
        heard = Heard(mixing.site, weights, rows, None, real[copies.answers][:, None, None])
        changed = weigh(heard, copies).expand_as(weights)[:, 0]
        yield copies, mixing.some(copies.answers).logits(changed)[:, 0]


def _run(asked: Asked, weigh: Weigh, draws: int, sites: list[Site]) -> Iterator[tuple[Copies, torch.Tensor]]:
    apart, rows = asked.apart(), deciding(asked) > 0
    heads = [head for site in sites for head in site]
    for alike in _alike(apart, draws):
        copied = apart.some(alike[0].answers)
        edit = GivenRows(sites, rows[alike[0].answers], weigh, alike[0])
        replay = Replay(asked.model.module, asked.model.sites)
        with torch.no_grad(), copied.attached() as module:
            with replay.recording():
                copied.run(module)
            with copied.attached(edits=[edit]):
                for copies in alike:
                    edit.copies = copies
                    with replay.below(heads):
                        yield copies, copied.answers(copied.run(module))


class GivenRows(WeightEdit):
    """Other weights in the rows that decide, (row, query) bool; the draw may change from pass to pass."""

    def __init__(self, sites: list[Site], rows: torch.Tensor, weigh: Weigh, copies: Copies) -> None:
        super().__init__(head for site in sites for head in site)
        self.rows, self.weigh, self.copies = rows, weigh, copies

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        return torch.where(self.rows[:, None, :, None], self.weigh(heard, self.copies).to(weights), weights)


def _portions(asked: Asked, draws: int) -> Iterator[Copies]:
    """All draws of all answers, some at a time."""
    numbers = torch.arange(len(asked.texts) * draws, device=asked.texts.device)
    for some in torch.split(numbers, max(1, 64 * PIECES // sum(asked.sizes))):
        yield Copies(some // draws, some % draws)


def _alike(asked: Asked, draws: int) -> Iterator[list[Copies]]:
    """The same: lists of portions that are copies of the same answers, in the same order."""
    device, room = asked.texts.device, max(1, PIECES // sum(asked.sizes))
    for some in torch.split(torch.arange(len(asked.texts), device=device), room):
        together = min(draws, max(1, room // len(some)))
        starts = torch.arange(0, draws, together, device=device)
        # The last portion repeats draws that were made before, where they do not come out even.
        starts = torch.minimum(starts, torch.full_like(starts, draws - together))
        numbers = torch.arange(together, device=device).repeat_interleave(len(some))
        yield [Copies(some.repeat(together), start + numbers) for start in starts]


def _drawn(asked: Asked, site: Site, draws: int, seed: int) -> torch.Tensor:
    """Random numbers (answer, draw, head, key), the same for a text in every batch."""
    seen = keys_seen(asked, site).cpu().numpy()
    drawn = np.zeros((len(seen), draws, site.heads, seen.shape[1]), np.float32)
    for answer, random in enumerate(generators(asked, seed, site)):
        places = np.flatnonzero(seen[answer])
        drawn[answer][..., places] = random.random((draws, site.heads, len(places)), np.float32)
    return torch.from_numpy(drawn)


def generators(asked: Asked, seed: int, site: Site | None = None) -> Iterator[np.random.Generator]:
    """For each answer random numbers that depend on the seed, a site, and what it sees, not on its batch."""
    place = () if site is None else (STACKS.index(site.stack), site.layer)
    for text, own, seen in zip(asked.texts.tolist(), asked.places.tolist(), asked.seen, strict=True):
        yield np.random.default_rng([seed, *place, own + 1, *asked.ids[text][seen].tolist()])

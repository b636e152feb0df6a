"""Attention as a chain of layers: maps between all pieces of a text, from the lowest layer to the answer.

In an encoder-decoder the nodes of a layer are the pieces of source and target together: an encoder layer
moves the source alone, a decoder layer first the target by its own attention, then by that to the source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from headscope.attention import Site
from headscope.explainers.asked import Asked
from headscope.explainers.deciding import deciding
from headscope.heads import POOLS, Stack
from headscope.measures.paths import followed
from headscope.models import Model

Maps = Mapping[Site, torch.Tensor]
"""By site one map (text, query, key), of all its heads together; keys may be all pieces of both sides."""

Mix = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""What a layer hands on, of its map and the identity, both (..., query, piece)."""


def taken_alone(taken: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """The map alone."""
    return taken


@dataclass(frozen=True)
class Chain:
    """steps: (text, piece, piece) of each layer, the lowest first. rows: (answer, piece) of the last, by
    which the answer is made. still: (step, piece) bool, pieces that a step does not move."""

    steps: list[torch.Tensor]
    rows: torch.Tensor
    still: torch.Tensor

    def followed(self, texts: torch.Tensor) -> torch.Tensor:
        """What the answers have of each piece at the bottom, (answer, piece): products of all steps."""
        return followed(self.rows, (step[texts] for step in reversed(self.steps)))


def chain_of(asked: Asked, maps: Maps, mix: Mix) -> Chain:
    """The chain of some maps of a pass."""
    if asked.sides.target is not None:
        return _of_two_sides(asked, maps, mix)
    identity = torch.eye(asked.sizes[0], dtype=torch.float64, device=asked.texts.device)
    steps = [mix(taken.double(), identity) for taken in _by_layer(asked.model, maps)]
    rows = deciding(asked)
    for stack in reversed(POOLS):
        for site in asked.model.sites_of(stack):
            rows = torch.bmm(rows[:, None], maps[site].double()[asked.texts])[:, 0]
    still = torch.zeros(len(steps), asked.sizes[0], dtype=torch.bool)
    return Chain(steps, rows, still)


def _by_layer(model: Model, maps: Maps) -> list[torch.Tensor]:
    """The map of each layer; two directions of a net, side by side, are one layer."""
    stacks: list[Stack] = [stack for stack in model.stacks() if stack not in POOLS]
    layers = zip(*(model.sites_of(stack) for stack in stacks), strict=True) if stacks else ()
    return [torch.stack([maps[site] for site in sites]).mean(0) for sites in layers]


def _of_two_sides(asked: Asked, maps: Maps, mix: Mix) -> Chain:
    source, target = asked.sizes
    model, device = asked.model, asked.texts.device
    identity = torch.eye(source + target, dtype=torch.float64, device=device)
    read, written = slice(0, source), slice(source, source + target)
    moves = [(maps[site], read, read) for site in model.sites_of("encoder")]
    for own, cross in decoder_layers(model):
        moves += [] if own is None else [(maps[own], written, written)]
        moves.append((maps[cross], written, read))
    steps, still = [], torch.ones(len(moves), source + target, dtype=torch.bool)
    for number, (taken, queries, keys) in enumerate(moves):
        rows = torch.zeros(len(taken), taken.shape[1], source + target, dtype=torch.float64, device=device)
        rows[:, :, keys if taken.shape[2] < source + target else slice(None)] = taken.double()
        step = identity.repeat(len(taken), 1, 1)
        step[:, queries] = mix(rows, identity[queries])
        steps.append(step)
        still[number, queries] = False
    before = torch.zeros(len(asked.texts), source, dtype=torch.float64, device=device)
    return Chain(steps, torch.cat([before, deciding(asked)], 1), still)


def decoder_layers(model: Model) -> list[tuple[Site | None, Site]]:
    """The attentions of each layer of a decoder, to target and source; a GRU has the latter alone."""
    cross = model.sites_of("cross")
    own: list[Site | None] = [*model.sites_of("decoder")] or [None] * len(cross)
    return list(zip(own, cross, strict=True))


def why_no_chain(model: Model) -> str | None:
    """Why a model's attention is no chain; None where it is."""
    counts = {len(model.sites_of(stack)) for stack in model.stacks() if stack not in (*POOLS, "encoder")}
    if len(counts) > 1:
        return "not each of its decoder layers looks at the source"
    return None

"""Sites: the places in a model where attention is computed, numbered once, by the order of the calls.

A family may give its layers no number (DistilBERT), the same number twice (cross-attention), or one
module for all layers (ALBERT), so nothing is read from the modules: one forward pass over a few pieces
shows which module calls the attention function how often, and the shapes show the stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import nn

from headscope.errors import ModelError
from headscope.heads import STACKS, Head, Stack

Unit = Literal["piece", "sentence", "text"]
"""What a query or a key stands for."""


@dataclass(frozen=True, order=True)
class Site:
    """One layer's attention in one stack, with its number of heads; modules of our nets declare it as `site`.

    masked: whether the mask of each call tells what a query sees, which may be nothing.
    """

    stack: Stack
    layer: int
    heads: int = field(compare=False)
    causal: bool = field(compare=False, default=False)
    queries: Unit = field(compare=False, default="piece")
    keys: Unit = field(compare=False, default="piece")
    masked: bool = field(compare=False, default=False)

    def __iter__(self) -> Iterator[Head]:
        return (Head(self.stack, self.layer, index) for index in range(self.heads))


@dataclass(frozen=True)
class Facts:
    """What a pass over a few pieces showed of a model.

    notes: what a reader of its attention must know. entangled: sites where what a head hands on cannot be
    told from the rest, so that heads can be heard but not edited. beyond: sites where a head hands on more
    than weights times values, so that its weights cannot. restless: whether running the model changes it.
    """

    notes: list[str] = field(default_factory=list)
    entangled: frozenset[Site] = frozenset()
    beyond: frozenset[Site] = frozenset()
    restless: bool = False

    def why_no_edits(self, family: str, sites: Iterable[Site]) -> str | None:
        """Why heads of some sites cannot be edited; None where they can."""
        return _told(
            self.entangled.intersection(sites),
            f"what a head of {family} hands on cannot be told from the rest",
            "its heads can be heard, but neither ablated, scaled nor masked",
        )

    def why_no_weight_edits(self, family: str, sites: Iterable[Site]) -> str | None:
        """Why weights of some sites cannot be edited; None where they can."""
        return _told(
            self.beyond.intersection(sites),
            f"a head of {family} hands on more than its weights times its values",
            "edited weights would not reach its output",
        )


def _told(sites: Iterable[Site], what: str, therefore: str) -> str | None:
    layers = ", ".join(f"{site.stack} layer {site.layer}" for site in sorted(sites))
    return f"{what} ({layers}), so {therefore}" if layers else None


class SiteMap:
    """Which site a module's next call belongs to.

    A module that serves several layers is called several times in a forward pass, always in the same
    order; so its calls are counted, modulo the number of calls in one pass.
    """

    def __init__(self, modules: Iterable[nn.Module], sites: list[Site], facts: Facts | None = None) -> None:
        """Take the module and the site of each call of one forward pass, in order."""
        self.facts = facts or Facts()
        self.sites = sorted(sites, key=lambda site: (STACKS.index(site.stack), site.layer))
        self._of_module: dict[nn.Module, list[Site]] = {}
        self._count: Counter[nn.Module] = Counter()
        for module, site in zip(modules, sites, strict=True):
            self._of_module.setdefault(module, []).append(site)

    def next_site(self, module: nn.Module) -> Site:
        """The site of this call of the module."""
        served = self._of_module[module]
        site = served[self._count[module] % len(served)]
        self._count[module] += 1
        return site

    def modules(self) -> dict[nn.Module, list[Site]]:
        """Every attention module with the sites it serves."""
        return self._of_module

    def restart(self) -> None:
        """Forget a forward pass that an exception cut short."""
        self._count.clear()


def number_sites(
    maps: Iterable[torch.Tensor], source_length: int, target_length: int | None, family: str = "the model"
) -> list[Site]:
    """The site of each map (batch, head, query, key), in the order in which a forward pass makes them.

    Maps between anything but pieces (windows, pooled or compressed keys, two texts in one map) are refused:
    it could not be said what their heads look at.
    """
    sites = []
    layers: Counter[Stack] = Counter()
    for weights in maps:
        ends = weights.shape[2:]
        if weights.ndim != 4 or not {*ends} <= {source_length, target_length}:
            whence = (
                f"from {ends[0]} to {ends[1]} positions" if weights.ndim == 4 else f"within {tuple(ends)}"
            )
            raise ModelError(
                f"a layer of {family} attends {whence} in a text of {source_length} pieces: they are not "
                "pieces, so headscope cannot say what its heads look at"
            )
        stack, causal = stack_of(weights, source_length, target_length)
        sites.append(Site(stack, layers[stack], weights.shape[1], causal))
        layers[stack] += 1
    return sites


def stack_of(weights: torch.Tensor, source_length: int, target_length: int | None) -> tuple[Stack, bool]:
    """Tell the stack from the shape of a map, and causality from an empty upper triangle.

    The counting pass gives source and target different lengths, so that the shapes are unambiguous.
    """
    queries, keys = weights.shape[-2:]
    if target_length is not None and (queries, keys) == (target_length, source_length):
        return "cross", False
    causal = queries == keys and queries > 1 and not bool(weights.triu(1).any())
    if target_length is None:
        return ("decoder" if causal else "encoder"), causal
    return ("decoder" if queries == target_length else "encoder"), causal

"""Sites: the places in a model where attention is computed, numbered once, by the order of the calls.

A family may give its layers no number (DistilBERT), the same number twice (cross-attention), or one
module for all layers (ALBERT), so nothing is read from the modules: one forward pass over a few pieces
shows which module calls the attention function how often, and the shapes show the stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import nn

from headscope.errors import ModelError
from headscope.heads import Head, Stack


@dataclass(frozen=True, order=True)
class Site:
    """One layer's attention in one stack, with its number of heads."""

    stack: Stack
    layer: int
    heads: int = field(compare=False)
    causal: bool = field(compare=False, default=False)

    def __iter__(self) -> Iterator[Head]:
        return (Head(self.stack, self.layer, index) for index in range(self.heads))


@dataclass(frozen=True)
class Call:
    """What one call of the attention function showed while the sites were counted."""

    module: nn.Module
    weights: torch.Tensor  # (batch, head, query, key)


class SiteMap:
    """Which site a module's next call belongs to.

    A module that serves several layers is called several times in a forward pass, always in the same
    order; so its calls are counted, modulo the number of calls in one pass.
    """

    def __init__(self, calls: list[Call], source_length: int, target_length: int | None) -> None:
        self.sites: list[Site] = []
        self._of_module: dict[nn.Module, list[Site]] = {}
        self._count: Counter[nn.Module] = Counter()
        layers: Counter[Stack] = Counter()
        for call in calls:
            stack, causal = stack_of(call.weights, source_length, target_length)
            site = Site(stack, layers[stack], call.weights.shape[1], causal)
            layers[stack] += 1
            self.sites.append(site)
            self._of_module.setdefault(call.module, []).append(site)
        self.sites.sort(key=lambda site: (_STACK_ORDER[site.stack], site.layer))

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


_STACK_ORDER = {"encoder": 0, "decoder": 1, "cross": 2}


def stack_of(weights: torch.Tensor, source_length: int, target_length: int | None) -> tuple[Stack, bool]:
    """Tell the stack from the shape of a map, and causality from an empty upper triangle.

    The counting pass gives source and target different lengths, so that the shapes are unambiguous. Maps
    between anything but pieces (windows, pooled or compressed keys, two texts in one map) are refused: it
    could not be said what their heads look at.
    """
    queries, keys = weights.shape[-2:]
    if not {queries, keys} <= {source_length, target_length}:
        raise ModelError(
            f"a layer attends from {queries} to {keys} positions in a text of {source_length} pieces: "
            "they are not pieces, so headscope cannot say what its heads look at"
        )
    if target_length is not None and (queries, keys) == (target_length, source_length):
        return "cross", False
    causal = queries == keys and queries > 1 and not bool(weights.triu(1).any())
    if target_length is None:
        return ("decoder" if causal else "encoder"), causal
    return ("decoder" if queries == target_length else "encoder"), causal

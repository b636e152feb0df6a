"""Recorded layer outputs: a change in one layer does not compute the layers below it again.

A block is the layer around an attention module: its nearest ancestor that a list of layers holds. In a
forward pass blocks are called in a fixed order, and what a block returns does not depend on edits of later
ones; so below the first edited block, what was recorded is handed out instead of computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import nn

from headscope.attention.attach import Sites
from headscope.attention.bypass import BypassSites
from headscope.attention.site import Site, SiteMap
from headscope.heads import Head

Place = tuple[str, int]
"""Stack and layer of a site."""


class Replay:
    """What each block of a module returned in one forward pass.

    `with replay.recording():` one forward pass, then `with replay.below(heads):` another over the same
    inputs, in which only the blocks from the first of these heads on are computed.
    """

    def __init__(self, module: nn.Module, sites: Sites) -> None:
        self._sites = sites
        self._modules: dict[nn.Module, list[nn.Module]] = {}
        self._places: dict[nn.Module, list[list[Place]]] = {}
        for inner, served in served_by(sites).items():
            block = block_of(module, inner)
            if block is None:
                continue
            self._modules.setdefault(block, []).append(inner)
            calls = self._places.setdefault(block, [[] for _ in served])
            for call, site in zip(calls, served, strict=True):
                call.append((site.stack, site.layer))
        self._calls: list[tuple[nn.Module, Any]] = []

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Remember what the blocks return in the forward pass inside."""
        self._calls = []

        def note(block: nn.Module, given: Any, result: Any) -> None:
            self._calls.append((block, result))

        with ExitStack() as hooks:
            for block in self._modules:
                hooks.callback(block.register_forward_hook(note).remove)
            yield

    @contextmanager
    def below(self, heads: Iterable[Head]) -> Iterator[None]:
        """Hand out what was recorded below the first of some heads in the forward pass inside."""
        recorded = self._recorded_below({(head.stack, head.layer) for head in heads})
        with ExitStack() as patches:
            for block, results in recorded.items():
                patches.enter_context(_with_forward(block, self._replaying(block, results)))
            yield

    def forget(self) -> None:
        """Let go of what was recorded."""
        self._calls = []

    def _recorded_below(self, places: set[Place]) -> dict[nn.Module, list[Any]]:
        """By block, what its first calls returned, as many as lie below all of the places."""
        results: dict[nn.Module, list[Any]] = {}
        for block, result in self._calls:
            calls = self._places[block]
            if places & set(calls[len(results.get(block, ())) % len(calls)]):
                break
            results.setdefault(block, []).append(result)
        return results

    def _replaying(self, block: nn.Module, results: list[Any]) -> Callable[..., Any]:
        original = block.forward
        left = iter(results)

        def forward(*given: Any, **options: Any) -> Any:
            for result in left:
                if isinstance(self._sites, SiteMap):
                    for module in self._modules[block]:
                        self._sites.next_site(module)
                return _copied(result)
            return original(*given, **options)

        return forward


def served_by(sites: Sites) -> dict[nn.Module, list[Site]]:
    """Every module that computes or projects attention, with its sites in the order of its calls."""
    if not isinstance(sites, BypassSites):
        return sites.modules()
    served: dict[nn.Module, list[Site]] = {}
    for site, slices in sites.slices.items():
        served.setdefault(slices.module, []).append(site)
    return served


def block_of(module: nn.Module, inner: nn.Module) -> nn.Module | None:
    """The innermost member of a list of layers that holds a module; None if there is none."""
    name = next(name for name, candidate in module.named_modules() if candidate is inner)
    while name:
        holder, _, _ = name.rpartition(".")
        if isinstance(module.get_submodule(holder), nn.ModuleList):
            return module.get_submodule(name)
        name = holder
    return None


@contextmanager
def _with_forward(block: nn.Module, forward: Callable[..., Any]) -> Iterator[None]:
    """Put another forward in a module's place, and take it away again."""
    before = block.__dict__.get("forward")
    block.forward = forward
    try:
        yield
    finally:
        if before is None:
            del block.forward
        else:
            block.forward = before


def _copied(result: Any) -> Any:
    """A result whose tensors may be changed in place by what comes behind."""
    if isinstance(result, torch.Tensor):
        return result.clone()
    if type(result) is tuple:
        return tuple(_copied(item) for item in result)
    return result

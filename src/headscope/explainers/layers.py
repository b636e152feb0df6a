"""Layers called again by themselves, on what they read in a pass, for copies of each text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from headscope.attention import Site
from headscope.attention.replay import served_by
from headscope.heads import POOLS
from headscope.models import Model


@dataclass(frozen=True)
class Call:
    """A layer, what it read in a pass, and the vectors (text, piece, width) that it made of it."""

    block: nn.Module
    given: tuple[Any, ...]
    options: dict[str, Any]
    made: torch.Tensor

    def again(self, copies: int) -> torch.Tensor:
        """What the layer makes of so many copies of each text, those of a text in a row."""
        given, options = _copied((self.given, self.options), len(self.made), copies)
        return _vectors(self.block(*given, **options))


class Layers:
    """The calls of all layers in one pass, in order; a pool, which is no member of a list, is a layer itself.

    served: of each call the attentions in it.
    """

    def __init__(self, model: Model) -> None:
        served = served_by(model.sites)
        places: dict[nn.Module, list[list[Site]]] = {}
        self.whole = True
        for inner, sites in served.items():
            block = layer_of(model.backbone, inner, served)
            if block is None:
                self.whole = False
                continue
            calls = places.setdefault(block, [[] for _ in sites])
            for call, site in zip(calls, sites, strict=True):
                call.append(site)
        self.blocks = list(places)
        # In the order of their first sites, which is that of their calls.
        order = model.sites.sites
        self.served = sorted(
            (call for calls in places.values() for call in calls), key=lambda call: order.index(call[0])
        )
        self.calls: list[Call] = []

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note the calls of the pass inside."""

        def note(block: nn.Module, given: tuple[Any, ...], options: dict[str, Any], made: Any) -> None:
            self.calls.append(Call(block, given, options, _vectors(made)))

        with ExitStack() as hooks:
            for block in self.blocks:
                hooks.callback(block.register_forward_hook(note, with_kwargs=True).remove)
            yield


def layer_of(called: nn.Module, inner: nn.Module, served: Mapping[nn.Module, list[Site]]) -> nn.Module | None:
    """The layer around an attention; None if there is none.

    Of the members of lists that hold it, the outermost in which no other attention is of the same stack: the
    parts of a layer may stand in a list themselves (T5).
    """
    if all(site.stack in POOLS for site in served[inner]):
        return inner
    name, found = next(name for name, each in called.named_modules() if each is inner), None
    while name:
        holder, _, _ = name.rpartition(".")
        member = called.get_submodule(name)
        if isinstance(called.get_submodule(holder), nn.ModuleList):
            within = [served[each][0].stack for each in member.modules() if each in served]
            if len({*within}) < len(within):
                break
            found = member
        name = holder
    return found


def _vectors(made: Any) -> torch.Tensor:
    vectors: torch.Tensor = made[0] if isinstance(made, tuple) else made
    return vectors


def _copied(item: Any, texts: int, copies: int) -> Any:
    """Whatever has a row for each text, with as many copies of the row; else itself."""
    if isinstance(item, torch.Tensor):
        return item.repeat_interleave(copies, 0) if item.ndim > 1 and len(item) == texts else item
    if type(item) in (tuple, list):
        return type(item)(_copied(each, texts, copies) for each in item)
    if type(item) is dict:
        return {name: _copied(each, texts, copies) for name, each in item.items()}
    return item

"""Layers that are not heard: what they do between pieces does not go through the attention function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torch import nn

from headscope.attention import Site, Sites
from headscope.attention.replay import served_by
from headscope.heads import Stack

_OF_TWO_TEXTS: tuple[Stack, ...] = ("encoder", "decoder", "cross")
_WHY = "what happens between pieces there does not go through the attention function"


def unheard_notes(model: nn.Module, sites: Sites, two_texts: bool) -> list[str]:
    """A note on each stack, and on each list of layers, of which something is not heard.

    two_texts: whether the model has both an encoder and a decoder.
    """
    stacks = {site.stack for site in sites.sites}
    missing = [stack for stack in _OF_TWO_TEXTS if two_texts and stack not in stacks]
    notes = [
        f"no {'cross-attention' if stack == 'cross' else f'layer of the {stack}'} is heard: {_WHY}"
        for stack in missing
    ]
    heard = served_by(sites)
    for layers in _lists_of_layers(model):
        inside = [[site for part in layer.modules() for site in heard.get(part, ())] for layer in layers]
        if sites.facts.entangled.isdisjoint(sites.sites) and any(inside) and not all(inside):
            notes.append(_note_on(inside))
    return notes


def _note_on(layers: Sequence[Sequence[Site]]) -> str:
    """Which layers are silent, and what those that are heard are called, by the sites in each."""
    silent = [str(number) for number, inside in enumerate(layers) if not inside]
    names = [f"L{inside[0].layer} is layer {number}" for number, inside in enumerate(layers) if inside]
    are = "is" if len(silent) == 1 else "are"
    return (
        f"of layers 0 to {len(layers) - 1}, {', '.join(silent)} {are} not heard: {_WHY} ({', '.join(names)})"
    )


def _lists_of_layers(model: nn.Module) -> Iterator[nn.ModuleList]:
    """The outermost lists of modules: a layer may have a list of its parts."""
    outer: list[str] = []
    for name, module in model.named_modules():
        if isinstance(module, nn.ModuleList) and not any(name.startswith(f"{other}.") for other in outer):
            outer.append(name)
            yield module

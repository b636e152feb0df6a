"""One pass, heard: maps and values of every site, kept in place for a batch of a few texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from headscope.attention import Heard, Site
from headscope.attention.listen import Need


class Hearing:
    """A listener that keeps what it hears, and the logits of the pass.

    maps: by site (text, head, query, key). values: by site (text, key-value head, key, dim), None where a
    family does not show them.
    """

    needs: Need = "map"

    def __init__(self) -> None:
        self.maps: dict[Site, torch.Tensor] = {}
        self.values: dict[Site, torch.Tensor | None] = {}
        self.logits = torch.empty(0)

    def hear(self, heard: Heard) -> None:
        self.maps[heard.site], self.values[heard.site] = heard.weights, heard.value


@contextmanager
def frozen(module: nn.Module) -> Iterator[None]:
    """Let no parameter take part in a graph, which is then no larger than what is asked of it."""
    learning = [parameter for parameter in module.parameters() if parameter.requires_grad]
    try:
        for parameter in learning:
            parameter.requires_grad_(False)
        with torch.enable_grad():
            yield
    finally:
        for parameter in learning:
            parameter.requires_grad_(True)

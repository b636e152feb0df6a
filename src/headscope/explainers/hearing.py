"""One pass, heard: maps and values of every site, kept in place for a batch of a few texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import nn

from headscope.attention import Heard, Site
from headscope.attention.edit import Gate
from headscope.attention.listen import Need


class Hearing:
    """A listener that keeps what it hears, and the logits of the pass.

    maps: by site (text, head, query, key). values: by site (text, key-value head, key, dim), None where a
    family does not show them. gate: on the last attention, where it was wanted, and graph: the logits that
    follow from it. sums: by norm what it read, in the order of its calls.
    """

    needs: Need = "map"

    def __init__(self) -> None:
        self.maps: dict[Site, torch.Tensor] = {}
        self.values: dict[Site, torch.Tensor | None] = {}
        self.logits = self.graph = torch.empty(0)
        self.gate: Gate | None = None
        self.sums: dict[nn.Module, list[torch.Tensor]] = {}

    def hear(self, heard: Heard) -> None:
        self.maps[heard.site], self.values[heard.site] = heard.weights, heard.value

    @contextmanager
    def noting(self, norms: Iterable[nn.Module]) -> Iterator[None]:
        """Note what norms read in the pass inside."""
        self.sums = {norm: [] for norm in norms}

        def note(module: nn.Module, given: tuple[Any, ...]) -> None:
            self.sums[module].append(given[0].detach())

        with ExitStack() as hooks:
            for norm in self.sums:
                hooks.callback(norm.register_forward_pre_hook(note).remove)
            yield


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

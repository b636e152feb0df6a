"""What an analysis is: it says what to tally while a model runs, and makes arrays of the merged tallies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Protocol

import torch
import xarray as xr

from headscope.attention import Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.heads import Head, Stack
from headscope.models import Model, Sides
from headscope.tallies import Tally

Tallies = dict[str, Tally]


@dataclass(frozen=True)
class Setting:
    """The model and the part of it that is looked at; ``only`` leaves out all but some stacks."""

    model: Model
    layers: Sequence[int] | None = None
    heads: Sequence[int] | None = None
    seed: int = 0
    only: Sequence[Stack] | None = None

    def sites(self) -> list[Site]:
        """The sites in question, by stack and layer: those that have chosen heads."""
        model = self.model
        stacks = [stack for stack in model.stacks() if self.only is None or stack in self.only]
        sites = [site for stack in stacks for site in model.sites_of(stack, self.layers)]
        return [site for site in sites if self.indices(site)]

    def stacks(self) -> list[Stack]:
        """The stacks in question; a choice of layers or heads may leave one out."""
        return list(dict.fromkeys(site.stack for site in self.sites()))

    def indices(self, site: Site) -> list[int]:
        """The heads in question at a site."""
        return [index for index in range(site.heads) if self.heads is None or index in self.heads]

    def weights_of(self, heard: Heard) -> torch.Tensor:
        """The weights of the heads in question, (batch, head, query, key); not copied where these are all."""
        indices = self.indices(heard.site)
        return heard.weights if len(indices) == heard.site.heads else heard.weights[:, indices]

    def chosen(self) -> list[Head]:
        """The heads in question, in the order of every array's `head` axis."""
        return [Head(site.stack, site.layer, index) for site in self.sites() for index in self.indices(site)]

    def places(self) -> dict[Site, slice]:
        """Where the heads of each site stand on the `head` axis."""
        sizes = {site: len(self.indices(site)) for site in self.sites()}
        ends = accumulate(sizes.values())
        return {site: slice(end - size, end) for (site, size), end in zip(sizes.items(), ends, strict=True)}

    def coordinates(self) -> dict[str, tuple[str, list[Any]]]:
        """Labels of the `head` axis."""
        names = names_of_heads(self.model, self.chosen())
        return {name: ("head", labels) for name, labels in names.items()}


def names_of_heads(model: Model, heads: Sequence[Head]) -> dict[str, list[Any]]:
    """The columns by which tables and arrays name heads, (head,) each."""
    return {
        "head": [model.label(head) for head in heads],
        "stack": [head.stack for head in heads],
        "layer": [head.layer for head in heads],
        "index": [head.index for head in heads],
    }


class Work(Protocol):
    """An analysis at work on a shard: it listens to each batch and keeps its tallies."""

    tallies: Tallies

    def listeners(self) -> Sequence[Listener]:
        """Who wants to hear the shared forward pass."""
        ...

    def begin(self, sides: Sides) -> None:
        """A batch is about to run."""
        ...

    def end(self, documents: Sequence[str]) -> None:
        """The batch has run; its rows belong to these documents."""
        ...


class ListeningWork(ABC):
    """A work that itself hears the shared forward pass, at the sites in question."""

    needs: Need = "map"

    def __init__(self, setting: Setting) -> None:
        self.setting, self.sites = setting, setting.sites()

    def listeners(self) -> Sequence[Listener]:
        return [self]

    def hear(self, heard: Heard) -> None:
        if heard.site in self.sites:
            self.take(heard)

    @abstractmethod
    def take(self, heard: Heard) -> None:
        """Take in one call, or a block of its rows."""


class Analysis(Protocol):
    """One question about the heads of a model."""

    name: str

    def work(self, setting: Setting) -> Work:
        """Start with empty tallies."""
        ...

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Labelled arrays from the merged tallies; the first axis of each is `head`."""
        ...

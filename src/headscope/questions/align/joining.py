"""The links of the heads that were chosen, pair by pair: to be kept, and joined with those of another model.

A second pass, in which only what the halves chose is read: a pair's links are those of the head and reading
that its own half did not choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, Site
from headscope.blocks import block_of, number_of
from headscope.measures.links import Grid
from headscope.models import Sides
from headscope.questions.align.analysis import links_by
from headscope.questions.align.choosing import Candidates, Kind
from headscope.questions.align.maps import Pairing, maps_of
from headscope.tallies import Records, Tally

_NUMBER = 8
"""Bytes of a document's number, before its links."""


@dataclass(frozen=True)
class Reading:
    """One way to read links: the place of a head (or its layer alone), and how."""

    layer: int
    index: int
    measure: str
    token: str
    rule: str


def readings_of(dataset: xr.Dataset, heads: Candidates) -> tuple[Reading, Reading]:
    """The best head of all readings for each half, by the first reference; where one has no choice, the
    other's."""
    picked = heads.choose(Kind("head")).picked[:, 0]
    first, second = (own if own >= 0 else other for own, other in (picked, picked[::-1]))
    return _reading(dataset, heads, first), _reading(dataset, heads, second)


def _reading(dataset: xr.Dataset, heads: Candidates, number: int) -> Reading:
    layer, index = (int(dataset[name].values[heads.item[number]]) for name in ("layer", "index"))
    return Reading(layer, index, *(str(each[number]) for each in (heads.measure, heads.token, heads.rule)))


class ChosenLinks:
    """The analysis; see the head of this file."""

    name = "links"

    def __init__(self, readings: tuple[Reading, Reading]) -> None:
        self.readings = readings

    def work(self, setting: Setting) -> ChosenLinksWork:
        return ChosenLinksWork(self, setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Nothing but the records themselves, which `links_in` reads."""
        return xr.Dataset()


class ChosenLinksWork(ListeningWork):
    """Hears the layers of both readings and keeps the links of each pair."""

    def __init__(self, analysis: ChosenLinks, setting: Setting) -> None:
        super().__init__(setting)
        self.readings = analysis.readings
        self.links = Records()
        self.tallies: Tallies = {"links": self.links}

    def begin(self, sides: Sides) -> None:
        device = self.setting.model.device
        self._segments, self._pairing = sides.segments, Pairing.of(sides.segments, device)
        self._sizes = torch.tensor([len(segment.words) for segment in sides.segments], device=device)
        self._heard: dict[int, np.ndarray] = {}

    def take(self, heard: Heard) -> None:
        for half, reading in enumerate(self.readings):
            if heard.site == _site(self.sites, reading.layer):
                heads = list(range(heard.site.heads))
                maps = maps_of(self.setting.model, heard, heads, reading.measure)[:, [reading.index]]
                words = self._pairing.words(maps, reading.token)
                self._heard[half] = links_by(words, reading.rule, self._sizes)[:, 0].cpu().numpy()

    def end(self, documents: Sequence[str]) -> None:
        for row, (document, segment) in enumerate(zip(documents, self._segments, strict=True)):
            links = self._heard[block_of(document) % 2][
                row, : len(segment.target_words), : len(segment.words)
            ]
            self.links.add([number_of(document).to_bytes(_NUMBER, "little") + np.packbits(links).tobytes()])


def links_in(records: Records, names: Sequence[str], grid: Grid) -> np.ndarray:
    """(cell,) bool: the links that were kept, in the cells of a grid; pairs that were left out have none."""
    kept = {int.from_bytes(each[:_NUMBER], "little"): each[_NUMBER:] for each in records.result()}
    linked = np.zeros(grid.starts[-1], bool)
    for number, name in enumerate(names):
        own = kept.get(number_of(name))
        if own is not None:
            start, stop = grid.starts[number : number + 2]
            linked[start:stop] = np.unpackbits(np.frombuffer(own, np.uint8), count=stop - start)
    return linked


def written(links: np.ndarray, grid: Grid) -> list[str]:
    """Links (cell,) of each pair as Pharaoh writes them, counted from 0.

    >>> written(np.array([True, False, False, True]), Grid.of([2], [2]))
    ['0-0 1-1']
    """
    lines = []
    for number, size in enumerate(grid.sources.tolist()):
        own = np.flatnonzero(links[grid.starts[number] : grid.starts[number + 1]])
        target, source = np.divmod(own, size)
        lines.append(" ".join(f"{one}-{other}" for one, other in zip(source, target, strict=True)))
    return lines


def _site(sites: Sequence[Site], layer: int) -> Site:
    return next(site for site in sites if site.layer == layer)

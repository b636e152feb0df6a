"""Maps of a few pairs by the head that was chosen, as in Bahdanau et al. 2015, figure 3."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np
import xarray as xr

from headscope.attention import Heard
from headscope.attention.listen import Need
from headscope.blocks import block_of
from headscope.engine.work import Plan, run_segment
from headscope.heads import Head
from headscope.questions.align.joining import Reading
from headscope.questions.align.maps import Pairing, maps_of, reference
from headscope.results.linked import LinkedMap, links_of
from headscope.text import Document, Segment

SHOWN = 4
SHORTEST, LONGEST = 4, 16
"""Words of either side of a pair that is drawn."""


def examples(plan: Plan, pairs: Iterable[Document], readings: tuple[Reading, Reading]) -> xr.Dataset:
    """Maps (example, target, source) of the first pairs that are neither short nor long; filled with NaN.

    sure and possible are (example, target, source) bool, the links of the first reference.
    """
    shown = list(islice(filter(_fits, plan.segments(pairs)), SHOWN))
    sizes = [max((len(getattr(each, name)) for each in shown), default=0) for name in _SIDES]
    weights = np.full((len(shown), *sizes), np.nan, np.float32)
    sure, possible = np.zeros((2, *weights.shape), bool)
    words = {name: np.full((len(shown), size), "", object) for name, size in zip(_SIDES, sizes, strict=True)}
    heads, names = [], []
    for number, segment in enumerate(shown):
        listener = _Mapped(plan, segment, readings[block_of(segment.document) % 2])
        run_segment(plan, segment, listener)
        rows, columns = listener.map.shape
        weights[number, :rows, :columns] = listener.map
        possible[number, :rows, :columns], sure[number, :rows, :columns] = (
            links[0] for links in reference([segment], 0)
        )
        for name in _SIDES:
            words[name][number, : len(getattr(segment, name))] = getattr(segment, name)
        heads.append(listener.label)
        names.append(segment.document)
    axes = ("example", "target", "source")
    return xr.Dataset(
        {
            "weights": (axes, weights),
            "sure": (axes, sure),
            "possible": (axes, possible),
            "target_word": (axes[:2], words["target_words"]),
            "source_word": (("example", "source"), words["words"]),
        },
        coords={"pair": ("example", np.array(names, object)), "by": ("example", np.array(heads, object))},
    )


def linked(shown: xr.Dataset, reference: str) -> list[LinkedMap]:
    """The maps of `examples` with the links of their reference."""
    kinds = [f"a link by {reference}", f"a possible link by {reference}"]
    maps = []
    for place in range(shown.sizes["example"]):
        one = shown.isel(example=place)
        target, source = (
            [str(word) for word in one[f"{side}_word"].values if word] for side in ("target", "source")
        )
        weights, sure, possible = (
            one[name].values[: len(target), : len(source)] for name in ("weights", "sure", "possible")
        )
        links = links_of(sure, possible)
        maps.append(LinkedMap(str(one["by"].values), target, source, False, weights, kinds, links))
    return maps


_SIDES = ("target_words", "words")


def _fits(segment: Segment) -> bool:
    return all(SHORTEST <= len(getattr(segment, name)) <= LONGEST for name in _SIDES)


class _Mapped:
    """Keeps one map between the words of a pair."""

    needs: Need = "map"

    def __init__(self, plan: Plan, segment: Segment, reading: Reading) -> None:
        self._model, self._reading = plan.setting.model, reading
        self._pairing = Pairing.of([segment], self._model.device)
        head = Head("cross", reading.layer, reading.index)
        name = f"cross:L{reading.layer}" if reading.index < 0 else self._model.label(head)
        self.label = f"{name}, {reading.measure} at the {reading.token} token"
        self.map = np.empty((0, 0))

    def hear(self, heard: Heard) -> None:
        if heard.site.stack != "cross" or heard.site.layer != self._reading.layer:
            return
        maps = maps_of(self._model, heard, list(range(heard.site.heads)), self._reading.measure)
        words = self._pairing.words(maps[:, [self._reading.index]], self._reading.token)
        self.map = words[0, 0].cpu().numpy()

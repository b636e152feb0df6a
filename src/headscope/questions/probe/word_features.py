"""What probes read: the attention of all chosen heads between the words of each sentence of a treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.analyses.labels import PUNCTUATION, plain
from headscope.analyses.trees import tree_of
from headscope.attention import Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.blocks import block_of
from headscope.measures.words import word_maps
from headscope.models import Sides
from headscope.probes.features import Features, FeatureTally
from headscope.tallies import Tally
from headscope.text import Segment, has_piece
from headscope.text.layers import ROOT


class WordFeatures:
    """The analysis: it only gathers, what is made of it is the business of the probes."""

    name = "features"

    def work(self, setting: Setting) -> FeatureWork:
        return FeatureWork(setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Nothing but the labels: the features stay in their shards."""
        return xr.Dataset(coords=setting.coordinates())


class FeatureWork:
    """Hears whole maps and keeps them over words, in 16 bits."""

    needs: Need = "map"

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._places: dict[Site, slice] = {}
        heads = 0
        for site in setting.sites():
            self._places[site] = slice(heads, heads + len(setting.indices(site)))
            heads += len(setting.indices(site))
        self.heads = heads
        self.tally = FeatureTally(heads)
        self.tallies: Tallies = {"features": self.tally}

    def listeners(self) -> Sequence[Listener]:
        return [self]

    def begin(self, sides: Sides) -> None:
        self._segments = sides.segments
        longest = max(len(segment) for segment in sides.segments)
        self._numbers = np.stack([_numbered(segment, longest) for segment in sides.segments])
        self._count = max(len(segment.words) for segment in sides.segments) + 2
        shape = (len(sides.segments), self._count, self._count, self.heads)
        self._maps = np.zeros(shape, np.float16)

    def hear(self, heard: Heard) -> None:
        if heard.site not in self._places:
            return
        indices = self.setting.indices(heard.site)
        weights = heard.weights if len(indices) == heard.site.heads else heard.weights[:, indices]
        maps = word_maps(weights, self._numbers, self._count)[..., :-1]
        self._maps[..., self._places[heard.site]] = np.moveaxis(maps, 1, -1)

    def end(self, documents: Sequence[str]) -> None:
        long = [place for place, segment in enumerate(self._segments) if len(segment.words) > 1]
        parts = [_features(self._segments[place], self._maps[place]) for place in long]
        self.tally.add(_joined(parts, len(self._segments) - len(long), self.heads))


def _numbered(segment: Segment, longest: int) -> np.ndarray:
    """The word of each piece from 1, (piece,); 0 for an opening special token, and for a closing one the
    number after the last word. Others in between, and padding, have -1."""
    numbers = np.full(longest, -1)
    numbers[: len(segment)] = np.where(segment.word >= 0, segment.word + 1, -1)
    known = np.flatnonzero(segment.word >= 0)
    if known[0] > 0:
        numbers[0] = 0
    if known[-1] < len(segment) - 1:
        numbers[len(segment) - 1] = len(segment.words) + 1
    return numbers


def _features(segment: Segment, maps: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays of one sentence, of maps (word + 2, word + 2, head) with the special tokens around."""
    tree, known = tree_of(segment), has_piece(segment)
    words = len(segment.words)
    inner = slice(1, words + 1)
    ends = [maps[inner, 0], maps[0, inner], maps[inner, words + 1], maps[words + 1, inner]]
    asked = known & ((tree.heads == ROOT) | ((tree.heads >= 0) & known[tree.heads.clip(0)]))
    return {
        "maps": maps[inner, inner].reshape(words * words, -1),
        "ends": np.stack(ends, 1),
        "sizes": np.array([words], np.int32),
        "gold": np.where(asked, tree.heads + 1, -1).astype(np.int32),
        "punct": np.array([plain(name) == PUNCTUATION for name in tree.relations]),
        "blocks": np.array([block_of(segment.document)], np.int32),
        "words": np.array(segment.words, object),
    }


def _joined(parts: Sequence[dict[str, np.ndarray]], alone: int, heads: int) -> Features:
    if not parts:
        return Features.empty(heads, alone)
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Features.of_words(arrays.pop("words").tolist(), alone, **arrays)

"""What probes read: the attention of all chosen heads between the words of each sentence of a treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.analyses.labels import PUNCTUATION, plain
from headscope.analyses.trees import tree_of
from headscope.attention import Heard
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


class FeatureWork(ListeningWork):
    """Hears whole maps and keeps them over words, in 16 bits."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._places = setting.places()
        self.heads = len(setting.chosen())
        self.tally = FeatureTally(self.heads)
        self.tallies: Tallies = {"features": self.tally}

    def begin(self, sides: Sides) -> None:
        self._segments = sides.segments
        longest = max(len(segment) for segment in sides.segments)
        self._numbers = np.stack([_numbered(segment, longest) for segment in sides.segments])
        self._count = max(len(segment.words) for segment in sides.segments) + 2
        shape = (len(sides.segments), self._count, self._count, self.heads)
        self._maps = np.zeros(shape, np.float16)

    def take(self, heard: Heard) -> None:
        maps = word_maps(self.setting.weights_of(heard), self._numbers, self._count)[..., :-1]
        self._maps[..., self._places[heard.site]] = np.moveaxis(maps, 1, -1)

    def end(self, documents: Sequence[str]) -> None:
        for segment, maps in zip(self._segments, self._maps, strict=True):
            alone = len(segment.words) == 1
            self.tally.add(Features.empty(self.heads, alone=1) if alone else _features(segment, maps))


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


def _features(segment: Segment, maps: np.ndarray) -> Features:
    """One sentence, of maps (word + 2, word + 2, head) with the special tokens around."""
    tree, known = tree_of(segment), has_piece(segment)
    words = len(segment.words)
    inner = slice(1, words + 1)
    ends = [maps[inner, 0], maps[0, inner], maps[inner, words + 1], maps[words + 1, inner]]
    asked = known & ((tree.heads == ROOT) | ((tree.heads >= 0) & known[tree.heads.clip(0)]))
    return Features.of_words(
        segment.words,
        maps=maps[inner, inner].reshape(words * words, -1),
        ends=np.stack(ends, 1),
        sizes=np.array([words], np.int32),
        gold=np.where(asked, tree.heads + 1, -1).astype(np.int32),
        punct=np.array([plain(name) == PUNCTUATION for name in tree.relations]),
        blocks=np.array([block_of(segment.document)], np.int32),
    )

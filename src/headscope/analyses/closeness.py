"""How close each head comes to distributions made of trees, true and false ones: all targets in one pass.

Varano, "Interpreting Self-Attention Weights": KL(target || attention), each word's target being its parent.
`measures.targets` tells the targets, `measures.closeness` the measures, `analyses.census` the false trees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.analyses.census import Census, sentence_key
from headscope.analyses.trees import padded_words, tree_of
from headscope.attention import Heard
from headscope.blocks import BLOCKS, block_of
from headscope.measures.closeness import DIVERGENCE, RECEPTION, SUMS, Seen, measure, see
from headscope.measures.false_trees import arc_standard_trees, uniform_trees
from headscope.measures.targets import OF_TREES, OWN, arcs, tree_distances, with_own
from headscope.measures.words import Pieces
from headscope.models import Sides
from headscope.results.vocabulary import FALSE_TREES, TRUE_TREE
from headscope.tallies import BlockSums, Tally
from headscope.text import Distributions, Segment

TREES = (TRUE_TREE, *FALSE_TREES)
OF_COLUMN = (*range(SUMS), BY_SENTENCE := SUMS)
ASKED, REACHED, SENTENCES = range(3)
WORDS, BEFORE, LENGTH, COUNT = range(4)
OUTSIDE = -2


class Closeness:
    """The analysis; see the head of this file. census: of the treebank that it will go over."""

    name = "closeness"

    def __init__(self, census: Census) -> None:
        self.census = census
        self.targets = (*OF_TREES, OWN) if census.own else OF_TREES

    def work(self, setting: Setting) -> ClosenessWork:
        return ClosenessWork(self, setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Sums by block, of heads and of even attention at their site, with what they are out of."""
        sums = {name: tally for name, tally in tallies.items() if isinstance(tally, BlockSums)}
        sums["trees"].close()
        total = {name: tally.total[:, 0] for name, tally in sums.items()}
        column = ("block", "head", "target", "tree")
        shape = (len(self.targets), len(TREES))

        def parted(values: np.ndarray) -> np.ndarray:
            return values.reshape(*values.shape[:2], *shape, values.shape[-1])

        data = {
            "sums": ((*column, "measure"), parted(total["heads"])),
            "even": ((*column, "measure"), parted(total["even"])),
            "counts": ((*column, "out_of"), parted(total["counts"])),
            "beside": ((*column, "true_beside"), parted(total["beside"])),
            "reception": (("block", "head", "received"), total["reception"]),
            "even_reception": (("block", "head", "received"), total["even_reception"]),
            "rarity": (("block", "moment"), total["rarity"]),
            "arcs": (("block", "tree", "arc"), total["trees"]),
        }
        labels = {"target": list(self.targets), "tree": list(TREES), "block": np.arange(BLOCKS)}
        dataset = xr.Dataset(data, coords={**setting.coordinates(), **labels})
        dataset.attrs["documents"] = int(sums["trees"].documents.sum())
        return dataset


class ClosenessWork(ListeningWork):
    """Draws the false trees of a batch, measures every layer as it is heard, and adds up by blocks."""

    def __init__(self, analysis: Closeness, setting: Setting) -> None:
        super().__init__(setting)
        self.census = analysis.census
        self._places = setting.places()
        heads, columns = len(setting.chosen()), len(analysis.targets) * len(TREES)
        shapes = {
            "heads": (heads, columns, len(OF_COLUMN)),
            "even": (heads, columns, len(OF_COLUMN)),
            "counts": (heads, columns, 3),
            "beside": (heads, columns, 3),
            "reception": (heads, RECEPTION),
            "even_reception": (heads, RECEPTION),
            "rarity": (5,),
            "trees": (len(TREES), 4),
        }
        self._sums = {name: BlockSums(1, shape) for name, shape in shapes.items()}
        self.tallies: Tallies = dict(self._sums)

    def begin(self, sides: Sides) -> None:
        segments = sides.segments
        self._words = np.array([len(segment.words) for segment in segments])
        self._pieces = Pieces.of(padded_words(segments), int(self._words.max()))
        self._known = self._pieces.sizes > 0
        self._heads, self._there = trees_of(segments, self.census)
        self._entries = arcs(self._heads, self._there, self._known)
        if self.census.own:
            self._entries = with_own(self._entries, own_of(segments, self.census), self._known)
        self._distances = tree_distances(self._heads, self._there, self._known)
        self._rarity = np.zeros((len(segments), 2, int(self._words.max())))
        for text, segment in enumerate(segments):
            self._rarity[text, :, : self._words[text]] = self.census.rarity(segment.words)
        self._blocks = np.array([block_of(segment.document) for segment in segments])
        self._seen: Seen | None = None
        self._last = piece_ends(self._pieces)

    def take(self, heard: Heard) -> None:
        visible = self._visible(heard)
        if self._seen is None or not np.array_equal(visible, self._seen.visible):
            self._seen = see(self._entries, self._distances, self._there, visible)
        seen, place = self._seen, self._places[heard.site]
        weights = self.setting.weights_of(heard)
        close, reception = measure(weights, self._pieces, self._words, seen, self._there, self._rarity)
        per_sentence = close[..., DIVERGENCE] / np.maximum(seen.asked, 1)[:, None]
        close = np.concatenate([close, per_sentence[..., None]], axis=-1)
        every = np.stack([seen.asked, seen.reached, (seen.asked > 0).astype(float)], axis=-1)
        self._add("heads", close[:, :-1], place)
        self._add("even", close[:, -1:], place)
        self._add("counts", every[:, None], place)
        self._add("beside", self._true_beside(close, seen), place)
        self._add("reception", reception[:, :-1], place)
        self._add("even_reception", reception[:, -1:], place)

    def end(self, documents: Sequence[str]) -> None:
        known = self._known
        rarity = np.where(known[:, None], self._rarity, 0.0)
        moments = [known.sum(1), *rarity.sum(2).T, *(rarity**2).sum(2).T]
        self._update("rarity", np.stack(moments, axis=1).astype(float))
        self._update("trees", arcs_of(self._heads, self._there, self._words))
        self._sums["trees"].see(documents)

    def _true_beside(self, close: np.ndarray, seen: Seen) -> np.ndarray:
        """Of true trees in the texts that have each false one: divergence, what is seen, even attention."""
        shape = (len(close), close.shape[1], -1, len(TREES))
        divergence = close[..., DIVERGENCE].reshape(shape)[..., :1]
        reached = seen.reached.reshape(len(close), 1, -1, len(TREES))[..., :1]
        parts = np.broadcast_arrays(divergence[:, :-1], reached, divergence[:, -1:])
        beside: np.ndarray = np.stack(parts, axis=-1) * self._there[:, None, None, :, None]
        return beside.reshape(len(close), shape[1] - 1, -1, len(parts))

    def _visible(self, heard: Heard) -> np.ndarray:
        """Which words each word can look at, (batch, word, word): its last piece sees their first."""
        known = self._known
        visible = heard.visible[:, 0].cpu().numpy()
        texts = np.zeros(1, int) if len(visible) == 1 else np.arange(len(known))
        first = self._pieces.first
        seen: np.ndarray = visible[texts[:, None, None], self._last[:, :, None], first[:, None, :]]
        return np.asarray(seen & known[:, :, None] & known[:, None, :])

    def _add(self, name: str, values: np.ndarray, place: slice) -> None:
        """Add the values of one site's heads, (batch, head or 1, ...), to their blocks."""
        total = self._sums[name].total[:, 0]
        np.add.at(total[:, place], self._blocks, values)

    def _update(self, name: str, values: np.ndarray) -> None:
        self._sums[name].update(self._blocks, np.zeros(len(values), int), values)


def trees_of(segments: Sequence[Segment], census: Census) -> tuple[np.ndarray, np.ndarray]:
    """True and false heads (batch, tree, word), and which trees each text has, (batch, tree) bool."""
    words = np.array([len(segment.words) for segment in segments])
    keys = [sentence_key(census.seed, segment.document, segment.index) for segment in segments]
    as_numbers = np.array(keys, np.uint64)
    heads = np.full((len(segments), len(TREES), int(words.max())), OUTSIDE)
    there = np.zeros((len(segments), len(TREES)), bool)
    for place, drawn in ((1, arc_standard_trees(as_numbers, words)), (2, uniform_trees(~as_numbers, words))):
        heads[:, place], there[:, place] = drawn, words > 1
    for text, segment in enumerate(segments):
        size = words[text]
        own = {
            0: census.heads(tree_of(segment)),
            3: census.matched.tree(keys[text], size),
            4: None if (lender := census.lender(keys[text], size)) is None else lender.heads,
        }
        for place, tree in own.items():
            if tree is not None:
                heads[text, place, :size], there[text, place] = tree, True
    heads[:, 1:][np.arange(heads.shape[2]) >= words[:, None, None].repeat(len(FALSE_TREES), 1)] = OUTSIDE
    return heads, there


def own_of(segments: Sequence[Segment], census: Census) -> list[list[Distributions | None]]:
    """What the source says of the words of each text, and of those of the text whose tree it borrows."""
    rows: list[list[Distributions | None]] = []
    for segment in segments:
        key = sentence_key(census.seed, segment.document, segment.index)
        lender = census.lender(key, len(segment.words))
        own = None if segment.part is None else segment.part.distributions
        rows.append([own, *[None] * (len(TREES) - 2), None if lender is None else lender.own])
    return rows


def arcs_of(heads: np.ndarray, there: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Words with a head, those whose head comes before, the sum of lengths, sentences: (batch, tree, 4)."""
    place = np.arange(heads.shape[2])
    counted = (heads >= 0) & there[..., None]
    lengths = np.where(counted, np.abs(heads - place), 0)
    before = counted & (heads < place)
    return np.stack([counted.sum(2), before.sum(2), lengths.sum(2), there & (words > 1)[:, None]], -1).astype(
        float
    )


def piece_ends(pieces: Pieces) -> np.ndarray:
    """The last piece of each word, (batch, word); 0 where it has none."""
    last = np.zeros_like(pieces.first)
    text, piece = np.nonzero(pieces.word >= 0)
    np.maximum.at(last, (text, pieces.word[text, piece]), piece)
    return last

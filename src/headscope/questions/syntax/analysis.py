"""What heads know of dependency trees: for every head, relation and reading, how often it is right.

Clark et al. 2019, section 4.2; `trees` tells the readings. One pass over the treebank counts everything, by
blocks of documents, so that head, reading and offset can be chosen on one half and scored on the other.
Fixed offsets are counted as if they were heads that always attend to one neighbour: once as the papers do,
wrong where they run off the end of a sentence, and once kept inside it, as a head is. Beside it, how much
each head attends to special tokens from words that bear a relation and from all others (section 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.analyses.trees import Trees
from headscope.attention import Heard
from headscope.blocks import BLOCKS
from headscope.measures.relations import add_right
from headscope.models import Sides
from headscope.results.vocabulary import READINGS
from headscope.tallies import BlockSums, Tally

BEARERS = ("dependent", "head")
_KEPT = len(READINGS) + len(BEARERS)


class Syntax:
    """The analysis; see the head of this file.

    relations: the labels that count, each with the name under which it is counted. reach: offsets up to so
    many words to either side. possessive: a possessor is asked through the mark behind it ('s), as the
    published code does.
    """

    name = "syntax"

    def __init__(self, relations: Mapping[str, str], reach: int = 5, possessive: bool = False) -> None:
        self.relations = sorted(set(relations.values()))
        self.numbers = {label: self.relations.index(name) for label, name in relations.items()}
        self.offsets = np.array([offset for offset in range(-reach, reach + 1) if offset])
        self.possessive = possessive

    def work(self, setting: Setting) -> SyntaxWork:
        return SyntaxWork(self, setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Sums by block; `relations` makes answers of them."""
        right, offsets, counts = (tallies[name] for name in ("right", "offsets", "counts"))
        assert (
            isinstance(right, BlockSums) and isinstance(offsets, BlockSums) and isinstance(counts, BlockSums)
        )
        counts.close()
        special = right.total[..., len(READINGS) :].sum(0)
        pairs = counts.total[..., len(READINGS) :].sum(0)
        data = {
            "right": (("block", "relation", "head", "reading"), right.total[:, :-1, :, : len(READINGS)]),
            "offset_right": (("block", "relation", "offset", "reading"), offsets.total[:, :, 0]),
            "inside_right": (("block", "relation", "offset", "reading"), offsets.total[:, :, 1]),
            "count": (("block", "relation", "reading"), counts.total[:, :-1, : len(READINGS)]),
            "pairs": (("relation", "bearer"), pairs[:-1]),
            "special": (("relation", "head", "bearer"), special[:-1]),
            "special_all": (("head",), special[-1, :, 0]),
        }
        labels = {
            "relation": self.relations,
            "reading": list(READINGS),
            "offset": self.offsets,
            "bearer": list(BEARERS),
            "block": np.arange(BLOCKS),
        }
        dataset = xr.Dataset(data, coords={**setting.coordinates(), **labels})
        dataset.attrs |= {"documents": int(counts.documents.sum()), "words": float(pairs[-1, 0])}
        return dataset


class SyntaxWork(ListeningWork):
    """Counts every layer as it is heard, and the offsets at the end of a batch."""

    def __init__(self, analysis: Syntax, setting: Setting) -> None:
        super().__init__(setting)
        self.analysis = analysis
        self._places = setting.places()
        self._causal = all(site.causal for site in self.sites)
        cells = len(analysis.relations)
        # One more cell takes all words, whatever their relation.
        self.right = BlockSums(cells + 1, (len(setting.chosen()), _KEPT))
        self.counts = BlockSums(cells + 1, (_KEPT,))
        self.offsets = BlockSums(cells, (2, len(analysis.offsets), len(READINGS)))
        self.tallies: Tallies = {"right": self.right, "offsets": self.offsets, "counts": self.counts}

    def begin(self, sides: Sides) -> None:
        analysis = self.analysis
        self._trees = Trees.of(sides.segments, analysis.numbers, self._causal, analysis.possessive)

    def take(self, heard: Heard) -> None:
        weights = self.setting.weights_of(heard)
        add_right(weights, self._trees, self.right.total, self._places[heard.site].start)

    def end(self, documents: Sequence[str]) -> None:
        trees = self._trees
        offsets = self.analysis.offsets
        near = np.concatenate([trees.neighbours(offsets), trees.neighbours_inside(offsets)], axis=1)
        right = trees.right(near, near).reshape(-1, 2, len(offsets), len(READINGS))
        self.offsets.update(trees.block, trees.relation, right)
        self.counts.update(trees.block, trees.relation, trees.counts())
        every = np.zeros((len(documents), _KEPT))
        every[:, len(READINGS)] = (trees.pieces.sizes > 0).sum(1)
        self.counts.update(trees.blocks, np.full(len(documents), len(self.analysis.relations)), every)
        self.counts.see(documents)

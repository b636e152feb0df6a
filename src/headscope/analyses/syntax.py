"""What heads know of dependency trees: for every head, relation and reading, how often it is right.

Clark et al. 2019, section 4.2; `trees` tells the readings. One pass over the treebank counts everything, by
blocks of documents, so that head, reading and offset can be chosen on one half and scored on the other.
Fixed offsets are counted as if they were heads that always attend to one neighbour. Beside it, how much
each head attends to special tokens from words that bear a relation and from all others (section 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.analyses.trees import READINGS, Trees
from headscope.attention import Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.measures.words import strongest_others, word_maps
from headscope.models import Sides
from headscope.tallies import BLOCKS, BlockSums, Tally

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
        right, counts = tallies["right"], tallies["counts"]
        assert isinstance(right, BlockSums) and isinstance(counts, BlockSums)
        heads = len(setting.chosen())
        found = right.total[:, :-1, :, : len(READINGS)]
        special = right.total[..., :heads, len(READINGS) :].sum(0)
        counted = counts.total[:, :-1]
        data = {
            "right": (("block", "relation", "head", "reading"), found[:, :, :heads]),
            "offset_right": (("block", "relation", "offset", "reading"), found[:, :, heads:]),
            "count": (("block", "relation", "reading"), counted[..., : len(READINGS)]),
            "pairs": (("relation", "bearer"), counted[..., len(READINGS) :].sum(0)),
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
        words = float(counts.total[:, -1, len(READINGS)].sum())
        dataset.attrs |= {"documents": int(right.documents.sum()), "words": words}
        return dataset


class SyntaxWork:
    """Hears whole maps, keeps of each head only which words it prefers, and counts at the end of a batch."""

    needs: Need = "map"

    def __init__(self, analysis: Syntax, setting: Setting) -> None:
        self.analysis, self.setting = analysis, setting
        self._sites = setting.sites()
        self._causal = all(site.causal for site in self._sites)
        # The last cell takes all words, whatever their relation.
        self._all = len(analysis.relations)
        items = len(setting.chosen()) + len(analysis.offsets)
        self.right = BlockSums(self._all + 1, (items, _KEPT))
        self.counts = BlockSums(self._all + 1, (_KEPT,))
        self.tallies: Tallies = {"right": self.right, "counts": self.counts}

    def listeners(self) -> Sequence[Listener]:
        return [self]

    def begin(self, sides: Sides) -> None:
        analysis = self.analysis
        self._trees = Trees.of(sides.segments, analysis.numbers, self._causal, analysis.possessive)
        self._heard: dict[Site, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def hear(self, heard: Heard) -> None:
        if heard.site not in self._sites:
            return
        indices = self.setting.indices(heard.site)
        weights = heard.weights if len(indices) == heard.site.heads else heard.weights[:, indices]
        maps = word_maps(weights, self._trees.numbers, int(self._trees.words.max()))
        self._heard[heard.site] = (*strongest_others(maps), maps[..., -1])

    def end(self, documents: Sequence[str]) -> None:
        trees = self._trees
        to, by, special = (
            np.concatenate(part, axis=1)
            for part in zip(*(self._heard[site] for site in self._sites), strict=True)
        )
        near = trees.neighbours(self.analysis.offsets)
        found = trees.right(np.concatenate([to, near], 1), np.concatenate([by, near], 1))
        heads = special.shape[1]
        counts = trees.counts()
        values = np.zeros((*found.shape[:2], _KEPT))
        values[..., : len(READINGS)] = found
        values[:, :heads, -2] = special[trees.text, :, trees.word]
        # A head word bears a relation once, however many dependents it has.
        values[:, :heads, -1] = special[trees.text, :, trees.head] * counts[:, -1:]
        self.right.update(trees.block, trees.relation, values)
        self.counts.update(trees.block, trees.relation, counts)
        self._count_all(special)
        self.right.see(documents)

    def _count_all(self, special: np.ndarray) -> None:
        """Attention to special tokens from every word, whatever it bears."""
        trees = self._trees
        cells = np.full(len(special), self._all)
        values = np.zeros((len(special), *self.right.total.shape[2:]))
        # Words without pieces and padding give nothing to anybody, so they add nothing here.
        values[:, : special.shape[1], len(READINGS)] = special.sum(2)
        counts = np.zeros((len(special), _KEPT))
        counts[:, len(READINGS)] = trees.known
        self.right.update(trees.blocks, cells, values)
        self.counts.update(trees.blocks, cells, counts)

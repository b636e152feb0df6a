"""What stands beside the heads: links of statistical aligners, of the diagonal and of fixed offsets.

They look at the pairs alone, all at once; each is a vector over the cells of a grid. They are scored on the
pairs that the model was scored on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from headscope.aligners import Bitext, train_hmm, train_ibm1
from headscope.blocks import BLOCKS, block_of, number_of
from headscope.measures.links import COUNTS, JOININGS, Grid
from headscope.questions.align.readings import HMM, IBM1
from headscope.text import Document
from headscope.text.links import Links
from headscope.text.parallel import target_words

FORWARD, BACKWARD = "target to source", "source to target"
DIAGONAL = "diagonal"
Words = tuple[Sequence[str], Sequence[str]]
REACH = 5
OFFSETS = tuple(range(-REACH, REACH + 1))


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of a corpus as cells: their names, the block of each, and links by each reference.

    references: by name the sure and the possible links, (cell,) bool each. scored: (pair,) bool.
    """

    names: list[str]
    grid: Grid
    words: Sequence[Words]
    references: dict[str, tuple[np.ndarray, np.ndarray]]
    scored: np.ndarray

    @classmethod
    def of(cls, documents: Iterable[Document], found: bool, reference: str | None) -> Pairs:
        """Take pairs; reference: the name of the links that they have, if they have any."""
        taken = list(documents)
        words = [(pair.surfaces(), target_words(pair, found)) for pair in taken]
        grid = Grid.of([len(source) for source, _ in words], [len(target) for _, target in words])
        own = {} if reference is None else {reference: _told(grid, [pair.links[0] for pair in taken])}
        return cls([pair.id for pair in taken], grid, words, own, np.ones(len(words), bool))

    def with_references(self, references: dict[str, np.ndarray]) -> Pairs:
        """The same, held against links (cell,) that are all sure."""
        return replace(self, references={name: (links, links) for name, links in references.items()})

    def scoring(self, numbers: np.ndarray) -> Pairs:
        """The same, of which only those with these numbers (`blocks.number_of`) are scored."""
        known = set(numbers.tolist())
        return replace(self, scored=np.array([number_of(name) in known for name in self.names]))

    def counts(self, links: np.ndarray) -> np.ndarray:
        """What links (cell,) are worth, (block, reference, `COUNTS`)."""
        sums = np.zeros((BLOCKS, len(self.references), len(COUNTS)))
        blocks = np.array([block_of(name) for name in self.names])[self.scored]
        for number, (sure, possible) in enumerate(self.references.values()):
            np.add.at(sums[:, number], blocks, self.grid.counts(links, sure, possible)[self.scored])
        return sums

    def documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The documents with the links of each reference, all of them sure."""
        starts, sources = self.grid.starts, self.grid.sources
        for number, document in enumerate(documents):
            size, targets = int(sources[number]), int(self.grid.targets[number])
            links = []
            for sure, _ in self.references.values():
                target, source = np.divmod(np.flatnonzero(sure[starts[number] : starts[number + 1]]), size)
                links.append(Links(source, target, np.ones(len(source), bool), size, targets))
            yield replace(document, links=tuple(links))


def aligned(pairs: Pairs, more: Sequence[Words], rounds: int) -> dict[str, dict[str, np.ndarray]]:
    """Links (cell,) by aligner and direction, of aligners that learnt from the pairs and from more."""
    text = Bitext.of([*pairs.words, *more])
    back = text.turned()
    both = {FORWARD: text, BACKWARD: back}
    simple = {name: train_ibm1(side, rounds) for name, side in both.items()}
    chains = {name: train_hmm(side, rounds, simple[name].chances) for name, side in both.items()}
    made: dict[str, dict[str, np.ndarray]] = {}
    cells = int(pairs.grid.starts[-1])
    for aligner, models in ((IBM1, simple), (HMM, chains)):
        forward = models[FORWARD].links(text)[:cells]
        backward = text.grid.turned(models[BACKWARD].links(back))[:cells]
        joined = {name: join(forward, backward, pairs.grid) for name, join in JOININGS.items()}
        made[aligner] = {FORWARD: forward, BACKWARD: backward, **joined}
    return made


def diagonal(grid: Grid) -> np.ndarray:
    """(cell,) bool: each target word linked to the source word at the same part of its sentence.

    >>> diagonal(Grid.of([2], [4])).reshape(4, 2).argmax(1).tolist()
    [0, 0, 1, 1]
    """
    pair, target, source = grid.cells()
    links: np.ndarray = ((2 * target + 1) * grid.sources[pair]) // (2 * grid.targets[pair]) == source
    return links


def offset(grid: Grid, step: int) -> np.ndarray:
    """(cell,) bool: each target word linked to the source word so many places on, kept inside its sentence.

    >>> offset(Grid.of([2], [3]), 1).reshape(3, 2).argmax(1).tolist()
    [1, 1, 1]
    """
    pair, target, source = grid.cells()
    links: np.ndarray = (target + step).clip(0, grid.sources[pair] - 1) == source
    return links


def _told(grid: Grid, links: Sequence[Links]) -> tuple[np.ndarray, np.ndarray]:
    """Sure and possible links that are told pair by pair, (cell,) bool each."""
    pair = np.repeat(np.arange(len(links)), [len(each.source) for each in links])
    source, target, sure = (
        np.concatenate([getattr(each, name) for each in links]) for name in ("source", "target", "sure")
    )
    return grid.links(pair[sure], target[sure], source[sure]), grid.links(pair, target, source)

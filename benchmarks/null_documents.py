"""compare where nothing differs, and where a shift was planted: how often it says so.

The values of documents are real: a survey of the embedded model, whose heads and measures go together as
they do. Documents are dealt at random to two runs that are then compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from headscope.blocks import BLOCKS, block_of
from headscope.measures.exchange import Side, exchange
from headscope.models import Model
from headscope.questions.compare.answer import usual_measures
from headscope.questions.compare.differences import DRAWS, LEVEL
from headscope.text import Corpus, Document

PLANTED = 10
"""Cells of all heads and measures that are shifted by one standard deviation of documents."""


@dataclass(frozen=True)
class Documents:
    """Sums and counts of each document over its segments, (document, cell): all heads, all measures."""

    totals: np.ndarray
    counts: np.ndarray

    def __len__(self) -> int:
        return len(self.totals)

    def spread(self) -> np.ndarray:
        """The standard deviation of the documents' means, (cell,)."""
        with np.errstate(invalid="ignore"):
            spread: np.ndarray = np.nanstd(self.totals / self.counts, axis=0, ddof=1)
        return spread

    def side(self, rows: np.ndarray, blocks: np.ndarray, shift: np.ndarray | float = 0.0) -> Side:
        """A run over some documents, in these blocks, whose values are shifted."""
        totals, counts = np.zeros((2, BLOCKS, self.totals.shape[1]))
        np.add.at(totals, blocks, self.totals[rows] + shift * self.counts[rows])
        np.add.at(counts, blocks, self.counts[rows])
        return Side(totals, counts, len(rows))


def documents_of(model: Model, documents: Sequence[Document]) -> Documents:
    """Survey documents, each in a block of its own."""
    import headscope

    names: dict[int, str] = {}
    for number in map(str, count()):
        names.setdefault(block_of(number), number)
        if len(names) == BLOCKS:
            break
    parts = []
    for start in range(0, len(documents), BLOCKS):
        some = [replace(one, id=names[block]) for block, one in enumerate(documents[start : start + BLOCKS])]
        corpus = Corpus("documents", "memory", lambda some=some: list(some))
        heads = headscope.survey(model, corpus, distances=False).arrays["heads"]
        asked = heads.sel(measure=usual_measures([heads]))
        sums = np.stack([asked["block_total"].values, asked["block_count"].values])
        parts.append(sums[:, : len(some)].reshape(2, len(some), -1))
    return Documents(*np.concatenate(parts, axis=1))


def discoveries(
    documents: Documents, sizes: tuple[int, int], paired: bool, trials: int, planted: int = 0
) -> float:
    """The share of comparisons of so many documents that claim a difference; of planted ones, if any."""
    claims = [_claims(documents, sizes, paired, planted, trial) for trial in range(trials)]
    return float(np.mean(claims))


def _claims(documents: Documents, sizes: tuple[int, int], paired: bool, planted: int, trial: int) -> bool:
    random = np.random.default_rng((trial, *sizes, paired))
    rows = random.permutation(len(documents))[: sum(sizes)]
    cells = documents.totals.shape[1]
    shift = np.zeros(cells)
    shifted = random.permutation(cells)[:planted]
    shift[shifted] = documents.spread()[shifted]
    blocks = random.integers(0, BLOCKS, sum(sizes))
    first = documents.side(rows[: sizes[0]], blocks[: sizes[0]])
    other = blocks[: sizes[0]] if paired else blocks[sizes[0] :]
    found = exchange(first, documents.side(rows[sizes[0] :], other, shift), paired, trial, DRAWS, LEVEL)
    return bool((found.significant[shifted] if planted else found.significant).any())

"""A corpus of random numbers, and every kind of tally of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from headscope.blocks import block_of, number_of
from headscope.probes.features import ENDS, Features, FeatureTally
from headscope.tallies import BlockSums, ClusterMeans, Means, Records, Rows
from headscope.tallies.hidden import Hidden, HiddenTally

ITEMS, MEASURES = 2, 3
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)


@dataclass
class Document:
    name: str
    values: np.ndarray  # (segment, item, measure)
    valid: np.ndarray


@st.composite
def corpora(draw: st.DrawFn) -> list[Document]:
    found = []
    for number in range(draw(st.integers(0, 6))):
        shape = (draw(st.integers(1, 3)), ITEMS, MEASURES)
        values = draw(arrays.arrays(np.float64, shape, elements=NUMBERS))
        found.append(Document(f"d{number}", values, draw(arrays.arrays(bool, shape))))
    return found


def cluster_means(documents: Sequence[Document]) -> ClusterMeans:
    tally = ClusterMeans(ITEMS, MEASURES)
    for document in documents:
        tally.update([document.name] * len(document.values), document.values, document.valid)
    return tally


def means(documents: Sequence[Document]) -> Means:
    tally = Means((ITEMS, MEASURES))
    for document in documents:
        tally.update(document.values)
    return tally


def block_sums(documents: Sequence[Document]) -> BlockSums:
    """Items are the cells; the rows of a document's segments come in two updates."""
    tally = BlockSums(ITEMS, (MEASURES,))
    for document in documents:
        for rows in (document.values[:1], document.values[1:]):
            cells = np.tile(np.arange(ITEMS), len(rows))
            blocks = np.full(len(cells), block_of(document.name))
            tally.see([document.name])
            tally.update(blocks, cells, rows.reshape(-1, MEASURES))
    return tally


def rows(documents: Sequence[Document]) -> Rows:
    tally = Rows((ITEMS, MEASURES))
    for document in documents:
        tally.update([document.name] * len(document.values), document.values)
    return tally


def records(documents: Sequence[Document]) -> Records:
    tally = Records()
    for document in documents:
        tally.add([document.name.encode(), document.values.tobytes(), b""])
    return tally


def features(documents: Sequence[Document]) -> FeatureTally:
    """Each document is a sentence with a word more than it has segments; one word is in all of them."""
    tally = FeatureTally(ITEMS)
    for document in documents:
        words = ["The", *(f"{document.name}-{place}" for place in range(len(document.values)))]
        small = (document.values / 1e6).astype(np.float16)
        tally.add(
            Features.of_words(
                words, alone=len(document.name), maps=np.resize(small, (len(words) ** 2, ITEMS)),
                ends=np.resize(small, (len(words), len(ENDS), ITEMS)), sizes=np.array([len(words)], np.int32),
                gold=np.arange(len(words), dtype=np.int32), punct=np.resize(document.valid, len(words)),
                blocks=np.array([block_of(document.name)], np.int32),
            )
        )  # fmt: skip
    return tally


def hidden(documents: Sequence[Document]) -> HiddenTally:
    """Each document is a segment; its rows are units, of one pooling."""
    tally = HiddenTally((1, ITEMS, MEASURES), np.dtype(np.float32))
    for document in documents:
        tally.add(
            Hidden(
                document.values[:, None].astype(np.float32),
                document.valid.any((1, 2)),
                np.array([len(document.values)], np.int32),
                np.array([number_of(document.name)], np.uint64),
                np.zeros(1, np.int32),
            )
        )
    return tally


SUMS: dict[str, Callable[[Sequence[Document]], Any]] = {
    "BlockSums": block_sums, "ClusterMeans": cluster_means, "Means": means,
}  # fmt: skip
"""Those for which no order matters, beyond rounding."""

ORDERED: dict[str, Callable[[Sequence[Document]], Any]] = {
    "FeatureTally": features, "HiddenTally": hidden, "Records": records, "Rows": rows,
}  # fmt: skip
"""Those that keep rows in the order in which they came, and add nothing up."""

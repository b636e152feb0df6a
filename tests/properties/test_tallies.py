"""Laws of every tally: a split merges to one pass, empty is neutral, a state comes back bit for bit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from headscope.blocks import block_of
from headscope.tallies import BlockSums, ClusterMeans, Means, Tally

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


CUTS = st.lists(st.integers(0, 3), min_size=6, max_size=6)  # which part each document goes to
QUICK = settings(max_examples=120, deadline=None)


def cluster_means(documents: list[Document]) -> ClusterMeans:
    tally = ClusterMeans(ITEMS, MEASURES)
    for document in documents:
        tally.update([document.name] * len(document.values), document.values, document.valid)
    return tally


def means(documents: list[Document]) -> Means:
    tally = Means((ITEMS, MEASURES))
    for document in documents:
        tally.update(document.values)
    return tally


def block_sums(documents: list[Document]) -> BlockSums:
    """Items are the cells; the rows of a document's segments come in two updates."""
    tally = BlockSums(ITEMS, (MEASURES,))
    for document in documents:
        for rows in (document.values[:1], document.values[1:]):
            cells = np.tile(np.arange(ITEMS), len(rows))
            blocks = np.full(len(cells), block_of(document.name))
            tally.see([document.name])
            tally.update(blocks, cells, rows.reshape(-1, MEASURES))
    return tally


MAKERS = st.sampled_from([cluster_means, means, block_sums])


def parts_of(documents: list[Document], cuts: list[int]) -> list[list[Document]]:
    return [[d for d, cut in zip(documents, cuts, strict=False) if cut == part] for part in range(4)]


def check_equal(first: Tally, second: Tally, scale: float) -> None:
    """Counts exactly, sums to 1e-12 of the size of what was added."""
    one, two = first.to_state(), second.to_state()
    assert one.keys() == two.keys()
    for name in one:
        if name in ("count", "count_square", "documents", "blocks"):
            assert np.array_equal(one[name], two[name]), name
        else:
            size = scale**2 if name in ("square", "cross") else scale
            assert np.allclose(one[name], two[name], rtol=1e-12, atol=1e-12 * size), name


def scale_of(documents: list[Document]) -> float:
    return 1 + sum(float(np.abs(document.values).sum()) for document in documents)


@QUICK
@given(MAKERS, corpora(), CUTS)
def test_a_split_merges_to_one_pass(make, documents: list[Document], cuts: list[int]) -> None:
    merged = make([])
    for part in parts_of(documents, cuts):
        merged.merge(make(part))
    check_equal(merged, make(documents), scale_of(documents))


@QUICK
@given(MAKERS, corpora(), CUTS, st.permutations(range(4)))
def test_the_order_of_merging_does_not_matter(make, documents, cuts, order) -> None:
    parts = parts_of(documents, cuts)
    forward, other = make([]), make([])
    for part in parts:
        forward.merge(make(part))
    for number in order:
        other.merge(make(parts[number]))
    check_equal(forward, other, scale_of(documents))


@QUICK
@given(MAKERS, corpora())
def test_empty_is_neutral(make, documents: list[Document]) -> None:
    left, right, alone = make([]), make(documents), make(documents)
    left.merge(make(documents))
    right.merge(make([]))
    for tally in (left, right):
        state, expected = tally.to_state(), alone.to_state()
        assert all(np.array_equal(state[name], expected[name]) for name in expected)


@QUICK
@given(MAKERS, corpora())
def test_a_state_comes_back_bit_for_bit(make, documents: list[Document]) -> None:
    tally = make(documents)
    state = {name: np.array(array) for name, array in tally.to_state().items()}
    again = type(tally).from_state(state)
    for name, array in again.to_state().items():
        assert array.dtype == state[name].dtype and array.tobytes() == state[name].tobytes(), name
    again.merge(make(documents))
    assert all(np.array_equal(state[name], tally.to_state()[name]) for name in state), "a state is a copy"


@QUICK
@given(corpora(), CUTS)
def test_results_do_not_change_with_the_split(documents: list[Document], cuts: list[int]) -> None:
    merged = cluster_means([])
    for part in parts_of(documents, cuts):
        merged.merge(ClusterMeans.from_state(cluster_means(part).to_state()))
    whole = cluster_means(documents)
    size = scale_of(documents)
    assert np.allclose(merged.means(), whole.means(), rtol=1e-12, atol=1e-12 * size, equal_nan=True)

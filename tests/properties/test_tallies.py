"""Laws of every kind of tally that a shard can leave: those of `tallies/tally.py`, and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.engine.states import KINDS
from headscope.tallies import ClusterMeans
from tests.properties.tallied import ORDERED, SUMS, Document, cluster_means, corpora

ALL = {**SUMS, **ORDERED}
CUTS = st.lists(st.integers(0, 3), min_size=6, max_size=6)  # which part each document goes to
QUICK = settings(max_examples=25, deadline=None)
State = dict[str, np.ndarray]


def test_every_kind_is_here() -> None:
    assert set(ALL) == set(KINDS)
    assert all(type(make([])) is KINDS[name] for name, make in ALL.items())


def parts_of(documents: list[Document], cuts: list[int]) -> list[list[Document]]:
    return [[d for d, cut in zip(documents, cuts, strict=False) if cut == part] for part in range(4)]


def merged(*tallies: Any) -> Any:
    first, *others = tallies
    for other in others:
        first.merge(other)
    return first


def check_close(first: Any, second: Any, documents: list[Document]) -> None:
    """Counts exactly, sums to 1e-12 of the size of what was added."""
    one, two = first.to_state(), second.to_state()
    scale = 1 + sum(float(np.abs(document.values).sum()) for document in documents)
    assert one.keys() == two.keys()
    for name in one:
        if name in ("count", "count_square", "documents", "blocks"):
            assert np.array_equal(one[name], two[name]), name
        else:
            size = scale**2 if name in ("square", "cross") else scale
            assert np.allclose(one[name], two[name], rtol=1e-12, atol=1e-12 * size), name


def check_same(one: State, two: State) -> None:
    """Bit by bit."""
    assert one.keys() == two.keys()
    for name, array in one.items():
        assert array.dtype == two[name].dtype and array.shape == two[name].shape, name
        assert array.tobytes() == two[name].tobytes(), name


@pytest.mark.parametrize("kind", ALL)
@QUICK
@given(corpora(), CUTS)
def test_consecutive_parts_merge_to_one_pass(kind: str, documents: list[Document], cuts: list[int]) -> None:
    parts = parts_of(documents, sorted(cuts))
    whole, found = ALL[kind](documents), merged(*map(ALL[kind], parts))
    if kind in SUMS:
        check_close(found, whole, documents)
    else:
        check_same(found.to_state(), whole.to_state())


@pytest.mark.parametrize("kind", ALL)
@QUICK
@given(corpora(), CUTS)
def test_it_does_not_matter_which_are_merged_first(
    kind: str, documents: list[Document], cuts: list[int]
) -> None:
    a, b, c, d = parts_of(documents, sorted(cuts))
    one_by_one = merged(*map(ALL[kind], (a, b, c, d)))
    in_pairs = merged(merged(ALL[kind](a), ALL[kind](b)), merged(ALL[kind](c), ALL[kind](d)))
    if kind in SUMS:
        check_close(one_by_one, in_pairs, documents)
    else:
        check_same(one_by_one.to_state(), in_pairs.to_state())


@pytest.mark.parametrize("kind", SUMS)
@QUICK
@given(corpora(), CUTS, st.permutations(range(4)))
def test_no_order_matters_for_sums(kind: str, documents: list[Document], cuts: list[int], order) -> None:
    """Neither of documents nor of merging."""
    parts = parts_of(documents, cuts)
    check_close(merged(*(SUMS[kind](parts[number]) for number in order)), SUMS[kind](documents), documents)


@pytest.mark.parametrize("kind", ORDERED)
@QUICK
@given(corpora(), CUTS, st.permutations(range(4)))
def test_rows_are_in_the_order_of_merging(
    kind: str, documents: list[Document], cuts: list[int], order
) -> None:
    parts = [parts_of(documents, cuts)[number] for number in order]
    found = merged(*map(ORDERED[kind], parts))
    check_same(found.to_state(), ORDERED[kind]([one for part in parts for one in part]).to_state())


@pytest.mark.parametrize("kind", ORDERED)
def test_another_order_is_another_tally(kind: str) -> None:
    """Else the law above would say nothing."""
    documents = [
        Document(name, np.full((1, 2, 3), number), np.ones((1, 2, 3), bool))
        for number, name in enumerate("ab")
    ]
    with pytest.raises(AssertionError):
        check_same(ORDERED[kind](documents).to_state(), ORDERED[kind](documents[::-1]).to_state())


@pytest.mark.parametrize("kind", ALL)
@QUICK
@given(corpora())
def test_empty_is_neutral(kind: str, documents: list[Document]) -> None:
    make = ALL[kind]
    for found in (merged(make([]), make(documents)), merged(make(documents), make([]))):
        check_same(found.to_state(), make(documents).to_state())


@pytest.mark.parametrize("kind", ALL)
@QUICK
@given(corpora())
def test_a_state_comes_back_bit_for_bit(kind: str, documents: list[Document]) -> None:
    tally = ALL[kind](documents)
    state = {name: np.array(array) for name, array in tally.to_state().items()}
    again = type(tally).from_state(state)
    check_same(again.to_state(), state)
    again.merge(ALL[kind](documents))
    check_same(tally.to_state(), state)  # a state is a copy


@QUICK
@given(corpora(), CUTS)
def test_results_do_not_change_with_the_split(documents: list[Document], cuts: list[int]) -> None:
    states = [cluster_means(part).to_state() for part in parts_of(documents, cuts)]
    found, whole = merged(*map(ClusterMeans.from_state, states)), cluster_means(documents)
    size = 1 + sum(float(np.abs(document.values).sum()) for document in documents)
    assert np.allclose(found.means(), whole.means(), rtol=1e-12, atol=1e-12 * size, equal_nan=True)

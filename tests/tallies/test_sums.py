"""Sums by cell and block, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.blocks import BLOCKS, block_of
from headscope.tallies import BlockSums


def test_rows_are_added_where_they_belong() -> None:
    tally = BlockSums(3, (2,))
    blocks, cells = np.array([5, 99, 5, 5]), np.array([2, 0, 2, 1])
    tally.update(blocks, cells, np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0], [8.0, 80.0]]))
    tally.update(np.array([5]), np.array([2]), np.array([[0.5, 0.25]]))
    expected = np.zeros((BLOCKS, 3, 2))
    expected[5, 2], expected[5, 1], expected[99, 0] = (5.5, 50.25), (8.0, 80.0), (2.0, 20.0)
    assert tally.total.tolist() == expected.tolist()


def test_many_rows_equal_one_by_one() -> None:
    generator = np.random.default_rng(0)
    blocks, cells = generator.integers(0, BLOCKS, 2000), generator.integers(0, 7, 2000)
    values = generator.integers(-50, 50, (2000, 2, 3))
    tally = BlockSums(7, (2, 3))
    tally.update(blocks, cells, values)
    expected = np.zeros((BLOCKS, 7, 2, 3))
    for block, cell, value in zip(blocks, cells, values, strict=True):
        expected[block, cell] += value
    assert np.array_equal(tally.total, expected)


def test_one_number_per_row() -> None:
    tally = BlockSums(2, ())
    tally.update(np.array([0, 0]), np.array([1, 1]), np.array([2.0, 3.0]))
    assert tally.total.shape == (BLOCKS, 2) and tally.total[0].tolist() == [0.0, 5.0]


def test_single_precision_is_added_in_double() -> None:
    tally = BlockSums(1, ())
    values = np.full(1000, 0.1, np.float32)
    tally.update(np.zeros(1000, int), np.zeros(1000, int), values)
    # 0.1 in single precision is 0.100000001490116...
    assert tally.total[0, 0] == pytest.approx(100.000001490116, abs=1e-11)


def test_no_rows_change_nothing() -> None:
    tally = BlockSums(2, (3,))
    tally.update(np.zeros(0, int), np.zeros(0, int), np.zeros((0, 3)))
    assert not tally.total.any()


@pytest.mark.parametrize(("block", "cell"), [(0, 2), (0, -1), (BLOCKS, 0), (-1, 0)])
def test_places_that_do_not_exist(block: int, cell: int) -> None:
    tally = BlockSums(2, ())
    with pytest.raises(ValueError, match="invalid entry"):
        tally.update(np.array([block]), np.array([cell]), np.array([1.0]))
    assert not tally.total.any()


@pytest.mark.parametrize("shape", [(1, 3), (2, 1), (2, 4), (2,)])
def test_values_of_another_shape(shape: tuple[int, ...]) -> None:
    tally = BlockSums(2, (3,))
    with pytest.raises(ValueError, match=r"values are \(.*\); expected 2 rows of \(3,\)"):
        tally.update(np.array([0, 1]), np.array([0, 1]), np.ones(shape))


def test_documents_count_once_until_closed() -> None:
    tally = BlockSums(1, ())
    tally.see(["a", "b", "a"])
    tally.see(["a"])
    tally.close()
    tally.close()
    expected = np.zeros(BLOCKS, int)
    expected[block_of("a")] += 1
    expected[block_of("b")] += 1
    assert tally.documents.tolist() == expected.tolist()


def test_merging_counts_documents_still_open() -> None:
    one, two = BlockSums(1, ()), BlockSums(1, ())
    one.see(["a"])
    two.see(["b", "c"])
    one.merge(two)
    assert one.documents.sum() == 3 and two.documents.sum() == 2


def test_a_state_holds_the_blocks_in_use() -> None:
    tally = BlockSums(2, (3,))
    tally.see(["demo:1"])  # block 19, a document without a row
    tally.update(np.array([40]), np.array([1]), np.ones((1, 3)))
    state = tally.to_state()
    assert state["blocks"].tolist() == [19, 40] and state["documents"].tolist() == [1, 0]
    assert state["total"].shape == (2, 2, 3)
    again = BlockSums.from_state(state)
    assert np.array_equal(again.total, tally.total) and np.array_equal(again.documents, tally.documents)


def test_an_empty_state_knows_its_shape() -> None:
    again = BlockSums.from_state(BlockSums(2, (3, 4)).to_state())
    assert again.total.shape == (BLOCKS, 2, 3, 4)

"""Surface sums and counts of one small map, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from headscope.measures import compiled
from headscope.measures.surface import OFFSETS, REACH, Lengths, SurfaceSums, count_queries, surface_sums

# A segment of three real pieces and one of padding: kinds 0 (a special), 1, 2 (a word), and padding.
LENGTHS = Lengths(np.array([3]), np.array([3]), np.array([[0, 2, 1, 0]]), np.array([[0, 2, 1, 0]]), 3)
MAP = torch.tensor(
    [
        [0.5, 0.25, 0.25, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.125, 0.125, 0.75, 0.0],
        [0.3, 0.3, 0.4, 0.0],  # the row of padding must not count
    ]
)


def plain(rows: torch.Tensor) -> SurfaceSums:
    return surface_sums(MAP[None, None, rows], rows, LENGTHS)


def fast(rows: torch.Tensor) -> SurfaceSums:
    return compiled.surface_sums(MAP[None, None, rows].numpy(), rows.numpy(), LENGTHS)


@pytest.fixture(params=[plain, fast])
def sums(request: pytest.FixtureRequest) -> SurfaceSums:
    return request.param(torch.arange(4))


def offsets(values: dict[int, float]) -> list[float]:
    return [values.get(offset, 0.0) for offset in OFFSETS]


def test_offsets_by_hand(sums: SurfaceSums) -> None:
    expected = {-2: 0.125, -1: 0.0 + 0.125, 0: 0.5 + 1 + 0.75, 1: 0.25 + 0.0, 2: 0.25}
    assert sums.offsets[0, 0].tolist() == pytest.approx(offsets(expected))


def test_what_is_behind_the_first_piece_by_hand(sums: SurfaceSums) -> None:
    later = {-1: 0.125, 0: 1 + 0.75, 1: 0.25 + 0.0, 2: 0.25}
    assert sums.later[0, 0].tolist() == pytest.approx(offsets(later))
    # Rows leave 0.5, 1 and 0.875 outside of the first piece.
    left = {-1: 0.875, 0: 1 + 0.875, 1: 0.5 + 1, 2: 0.5}
    assert sums.left[0, 0].tolist() == pytest.approx(offsets(left))
    counts = count_queries(np.arange(3), LENGTHS, causal=False, aligned=True)
    assert counts.later[0].tolist() == offsets({-1: 1, 0: 2, 1: 2, 2: 1})
    assert counts.pairs[0].tolist() == offsets({-2: 1, -1: 2, 0: 3, 1: 2, 2: 1})


def test_flow_by_hand(sums: SurfaceSums) -> None:
    # Rows are the kind of the query, columns that of the key; the pieces are of kinds 0, 2, 1.
    expected = [[0.5, 0.25, 0.25], [0.125, 0.75, 0.125], [0.0, 0.0, 1.0]]
    assert np.allclose(sums.flow[0, 0], expected)


def test_spread_by_hand(sums: SurfaceSums) -> None:
    ln2 = math.log(2)
    first = 1.5 * ln2
    last = 2 * 0.125 * 3 * ln2 - 0.75 * math.log(0.75)
    assert sums.entropy[0, 0] == pytest.approx(first + 0 + last, rel=1e-5)
    assert sums.edges[0, 0].tolist() == pytest.approx([first, last], rel=1e-5)
    assert sums.strongest[0, 0] == pytest.approx(0.5 + 1 + 0.75)
    assert sums.first[0, 0] == pytest.approx(0.5 + 0 + 0.125)


@pytest.mark.parametrize("way", [plain, fast])
def test_rows_that_are_not_heard_do_not_count(way) -> None:
    some = way(torch.tensor([1]))
    assert some.offsets[0, 0].tolist() == offsets({0: 1.0})
    assert some.edges[0, 0].tolist() == [0, 0]
    assert some.strongest[0, 0] == 1


def pairs_by_hand(length: int, causal: bool) -> list[int]:
    found = []
    for offset in range(-REACH, REACH + 1):
        keys = [query + offset for query in range(length)]
        found.append(sum(0 <= key < length and not (causal and offset > 0) for key in keys))
    return found


@pytest.mark.parametrize("causal", [False, True])
def test_counts_by_hand(causal: bool) -> None:
    lengths = Lengths(np.array([3, 12]), np.array([3, 12]), np.zeros((2, 12), int), np.zeros((2, 12), int), 2)
    counts = count_queries(np.arange(12), lengths, causal, aligned=True)
    assert counts.pairs.tolist() == [pairs_by_hand(3, causal), pairs_by_hand(12, causal)]
    assert counts.kinds.tolist() == [[3, 0], [12, 0]]
    assert counts.edges.tolist() == [[1, 1], [1, 1]]


def test_counts_of_kinds_and_of_sampled_rows() -> None:
    counts = count_queries(np.array([1, 2]), LENGTHS, causal=False, aligned=True)
    assert counts.kinds.tolist() == [[0, 1, 1]]
    assert counts.edges.tolist() == [[0, 1]]
    # Queries 1 and 2 of three: both have a previous key, only query 1 a next one.
    assert counts.pairs[0, REACH - 2 : REACH + 3].tolist() == [1, 2, 2, 1, 0]


def test_queries_and_keys_of_different_texts_have_no_offsets() -> None:
    lengths = Lengths(np.array([2]), np.array([5]), np.zeros((1, 2), int), np.zeros((1, 5), int), 1)
    counts = count_queries(np.arange(2), lengths, causal=False, aligned=False)
    assert not counts.pairs.any()
    assert counts.kinds.tolist() == [[2]]

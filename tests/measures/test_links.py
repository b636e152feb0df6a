"""Alignment error rates and joined links, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headscope.measures.links import (
    JOININGS,
    Grid,
    error_rate,
    f1,
    grow_diagonal,
    intersection,
    precision,
    recall,
    union,
)
from headscope.text.links import Links, read_links
from headscope.text.parallel import read_parallel, target_words


def matrix(*rows: str) -> np.ndarray:
    """Links of one pair, a row for each target word."""
    return np.array([[sign == "x" for sign in row] for row in rows]).ravel()


def test_rates_by_hand() -> None:
    grid = Grid.of([3], [3])
    sure, possible = matrix("x..", ".x.", "..."), matrix("x..", ".xx", "...")
    links = matrix("x..", "..x", "x..")  # one sure, one possible, one wrong; one sure is missed
    (counts,) = grid.counts(links, sure, possible)
    assert counts.tolist() == [3, 2, 1, 2]
    assert precision(counts) == pytest.approx(2 / 3) and recall(counts) == 0.5
    assert f1(counts) == pytest.approx(4 / 7)
    assert error_rate(counts) == pytest.approx(1 - (1 + 2) / (3 + 2))


def test_sure_links_are_possible_though_nobody_says_so() -> None:
    grid = Grid.of([2], [1])
    (counts,) = grid.counts(np.array([True, False]), np.array([True, False]), np.array([False, False]))
    assert counts.tolist() == [1, 1, 1, 1] and error_rate(counts) == 0


def test_what_cannot_be_told_is_nothing() -> None:
    nothing = np.zeros(4)
    assert np.isnan(error_rate(nothing)) and np.isnan(precision(nothing)) and np.isnan(recall(nothing))
    assert f1(np.array([1, 0, 0, 1])) == 0 and error_rate(np.array([1, 0, 0, 1])) == 1


def test_pairs_are_counted_apart() -> None:
    grid = Grid.of([2, 1], [1, 3])
    links = np.array([True, False, True, True, False])
    gold = np.array([False, True, True, False, False])
    assert grid.counts(links, gold, gold).tolist() == [[1, 0, 0, 1], [2, 1, 1, 1]]
    pair, target, source = grid.cells()
    assert pair.tolist() == [0, 0, 1, 1, 1]
    assert (target.tolist(), source.tolist()) == ([0, 0, 0, 1, 2], [0, 1, 0, 0, 0])
    assert grid.links(np.array([1]), np.array([2]), np.array([0])).tolist() == [False] * 4 + [True]


def test_growing_by_hand() -> None:
    grid = Grid.of([4], [4])
    forward = matrix("x...", ".x..", "..x.", "...x")
    backward = matrix("x...", "...x", "....", "x..x")
    # Both have (0, 0) and (3, 3). (1, 1) touches the first, (2, 2) the last; (1, 3) touches (2, 2) when both
    # its words are linked already; (3, 0) touches nothing.
    assert grow_diagonal(forward, backward, grid).tolist() == forward.tolist()
    assert intersection(forward, backward, grid).sum() == 2 and union(forward, backward, grid).sum() == 6


def test_growing_takes_a_neighbour_whose_other_word_is_free() -> None:
    grid = Grid.of([2], [2])
    grown = grow_diagonal(matrix("x.", ".."), matrix("xx", ".."), grid)
    assert grown.tolist() == matrix("xx", "..").tolist()  # its source word was free
    apart = grow_diagonal(matrix("x..", "...", "..."), matrix("x..", "...", "..x"), Grid.of([3], [3]))
    assert apart.sum() == 1  # the other link touches nothing


SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 5))


@given(st.data())
def test_laws(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(SHAPES, min_size=1, max_size=3))
    grid = Grid.of(*zip(*sizes, strict=True))
    one, other, gold = (data.draw(arrays(bool, int(grid.starts[-1]))) for _ in range(3))
    both, either, grown = (join(one, other, grid) for join in JOININGS.values())
    assert not (both & ~grown).any() and not (grown & ~either).any()
    turned = Grid.of(grid.targets, grid.sources)
    assert (grid.turned(turned.turned(one)) == one).all()
    rates = error_rate(grid.counts(one, gold, gold | other).astype(float))
    assert ((rates >= 0) & (rates <= 1) | np.isnan(rates)).all()
    if gold.any():
        assert error_rate(grid.counts(gold, gold, gold).sum(0)) == 0


@pytest.mark.parametrize(("name", "published"), [("enfr", 4.1), ("roen", 20.7)])
def test_the_error_rates_of_a_published_aligner(data: Path, name: str, published: float) -> None:
    folder = data / "12_word_alignment"
    gold = read_links(folder / f"{name}.gold")
    assert gold.base == 1
    pairs = list(read_parallel(folder / f"{name}.src-tgt", gold=gold))
    sizes = [(len(pair.words), len(target_words(pair, found=False))) for pair in pairs]
    output = read_links(folder / f"{name}.awesome-align.out")
    assert output.base == 0
    grid = Grid.of(*zip(*sizes, strict=True))
    links, _ = vectors(grid, [output.links(line, *size) for line, size in enumerate(sizes)])
    possible, sure = vectors(grid, [pair.links[0] for pair in pairs])
    counts = grid.counts(links, sure, possible).sum(0)
    assert round(100 * float(error_rate(counts)), 1) == published


def vectors(grid: Grid, links: list[Links]) -> tuple[np.ndarray, np.ndarray]:
    """All links and the sure ones, (cell,) each."""
    pair = np.repeat(np.arange(len(links)), [len(each.source) for each in links])
    source, target, sure = (
        np.concatenate([getattr(each, name) for each in links]) for name in ("source", "target", "sure")
    )
    return grid.links(pair, target, source), grid.links(pair[sure], target[sure], source[sure])

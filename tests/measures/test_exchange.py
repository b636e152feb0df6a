"""Differences of means under exchanged blocks: by hand, by loops, and what is refused."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.measures.exchange import Exchanged, Side, exchange

QUICK = settings(max_examples=25, deadline=None)


def side(values: list[float], counts: list[float] | None = None, documents: int | None = None) -> Side:
    """One cell: the means of blocks, over one segment each or over so many, a document to a block."""
    count = np.ones((len(values), 1)) if counts is None else np.array(counts, float)[:, None]
    return Side(np.array(values, float)[:, None] * count, count, documents or len(values))


def test_six_pairs_by_hand() -> None:
    """Differences 1 to 6: mean 3.5, variance 3.5, error sqrt(3.5 / 6). Of 64 exchanges 3 may reach further.

    All or none exchanged reach 3.5 / sqrt(3.5 / 6) errors. The next two exchange the block of 1, or all
    others: mean 19 / 6, sum of squares 91.
    """
    found = exchange(side([0] * 6), side([1, 2, 3, 4, 5, 6]), paired=True, seed=0)
    mean, error = 19 / 6, np.sqrt(3.5 / 6)
    next_error = np.sqrt((91 - 6 * mean**2) / 5 / 6)
    assert found.value.item() == pytest.approx(3.5) and found.least == 2 / 64
    assert found.own.item() == found.joint.item() == pytest.approx(mean / next_error * error)
    assert found.significant.item()


def test_four_and_four_blocks_by_hand() -> None:
    """Of 70 deals, 3 may reach further: two part low from high, and two exchange 3 and 10.

    Those have means 3.25 and 9.75 and squared deviations of 62.75 on each side.
    """
    found = exchange(side([0, 1, 2, 3]), side([10, 11, 12, 13]), paired=False, seed=0)
    reached = 6.5 / np.sqrt(2 * 62.75 / 3 / 4)
    assert found.value.item() == pytest.approx(10) and found.least == 2 / 70
    assert found.joint.item() == pytest.approx(reached * np.sqrt(2 * 5 / 3 / 4))
    assert found.significant.item()


def test_a_mean_is_of_sums_not_of_blocks() -> None:
    found = exchange(side([1, 4], [3, 1]), side([2, 4], [3, 1]), paired=True, seed=0)
    assert found.value.item() == pytest.approx((3 * 2 + 4) / 4 - (3 * 1 + 4) / 4)


def statistic(first: np.ndarray, other: np.ndarray, paired: bool) -> float:
    """|difference| over its standard error; sides are (block, sum and count)."""
    means = [part[:, 0].sum() / part[:, 1].sum() for part in (first, other)]
    rests = [
        (part[:, 0] - mean * part[:, 1]) / part[:, 1].sum()
        for part, mean in zip((first, other), means, strict=True)
    ]
    if paired:
        variance = len(first) / (len(first) - 1) * ((rests[1] - rests[0]) ** 2).sum()
    else:
        variance = sum(len(rest) / (len(rest) - 1) * (rest**2).sum() for rest in rests)
    return float(abs(means[1] - means[0]) / np.sqrt(variance))


def by_loops(first: np.ndarray, other: np.ndarray, paired: bool) -> tuple[float, float]:
    """How many errors the interval reaches, and the observed difference does."""
    if paired:
        patterns = [np.array(bits, bool)[:, None] for bits in product((0, 1), repeat=len(first))]
        every = [(np.where(one, other, first), np.where(one, first, other)) for one in patterns]
    else:
        both, places = np.concatenate([first, other]), range(len(first) + len(other))
        dealt = [list(some) for some in combinations(places, len(first))]
        every = [(both[some], np.delete(both, some, axis=0)) for some in dealt]
    reached = sorted(statistic(*sides, paired) for sides in every)
    return reached[-1 - int(0.05 * len(reached))], statistic(first, other, paired)


@QUICK
@given(st.booleans(), st.integers(6, 8), st.integers(4, 6), st.integers(0, 1000))
def test_against_loops(paired: bool, here: int, there: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    sizes = (here, here) if paired else (there, here - 2)
    first, other = (
        np.stack([random.normal(3, 1, size), random.integers(1, 5, size)], axis=1) for size in sizes
    )
    sides = [Side(part[:, :1], part[:, 1:], len(part)) for part in (first, other)]
    found = exchange(*sides, paired=paired, seed=0)
    reached, observed = by_loops(first, other, paired)
    error = abs(found.value.item()) / observed
    assert found.joint.item() == pytest.approx(reached * error)
    assert found.significant.item() == (observed > reached * (1 + 1e-9))


def test_all_cells_at_once_are_bounded_by_the_largest() -> None:
    random = np.random.default_rng(1)
    values = random.normal(size=(2, 12, 40))
    first, other = (Side(part, np.ones_like(part), 12) for part in values)
    whole = exchange(first, other, paired=True, seed=3)
    assert (whole.joint > whole.own).all()
    alone = [exchange(_cell(first, at), _cell(other, at), paired=True, seed=3) for at in range(40)]
    assert np.allclose([one.own.item() for one in alone], whole.own)
    assert np.allclose([one.joint.item() for one in alone], whole.own)


def _cell(given: Side, at: int) -> Side:
    return Side(given.totals[:, [at]], given.counts[:, [at]], given.documents)


def test_cells_in_chunks_are_those_of_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=(2, 9, 7))
    sides = [Side(part, np.ones_like(part), 9) for part in values]
    whole = exchange(*sides, paired=False, seed=0)
    monkeypatch.setattr("headscope.measures.exchange._CHUNK", 1)
    parts = exchange(*sides, paired=False, seed=0)
    assert np.allclose(whole.own, parts.own) and np.allclose(whole.joint, parts.joint)


@pytest.mark.parametrize(("blocks", "paired"), [(5, True), (1, True), (3, False), (1, False)])
def test_few_blocks_claim_nothing(blocks: int, paired: bool) -> None:
    """2 of 32 exchanges, or 2 of 20 deals, are as extreme as any can be: more than 5 %."""
    found = exchange(side([1] * blocks), side([2] * blocks), paired, seed=0)
    assert found.value.item() == pytest.approx(1) and found.least > 0.05
    assert np.isnan(found.own).all() and np.isnan(found.joint).all() and not found.significant.any()


def test_few_on_one_side_are_few() -> None:
    found = exchange(side([1, 2, 3]), side([5, 6, 7, 8] * 5), paired=False, seed=0)
    assert found.blocks == (3, 20) and not found.significant.any()


def test_what_is_equal_differs_by_exactly_nothing() -> None:
    random = np.random.default_rng(0)
    values, counts = random.random((10, 30)), random.integers(1, 4, (10, 30)).astype(float)
    same = Side(values, counts, 10)
    found = exchange(same, same, paired=True, seed=0)
    assert not found.value.any() and not found.own.any() and not found.joint.any()
    assert not found.significant.any()


def test_a_cell_that_is_never_defined_does_not_spoil_others() -> None:
    random = np.random.default_rng(0)
    totals, counts = random.normal(size=(2, 8, 2)), np.ones((8, 2))
    totals[..., 1] = counts[:, 1] = 0
    found = exchange(Side(totals[0], counts, 8), Side(totals[1], counts, 8), paired=True, seed=0)
    assert np.isnan(found.value[1]) and not found.significant[1]
    assert np.isfinite([found.value[0], found.own[0], found.joint[0]]).all()


def blocks_of(documents: int, blocks: int, other_documents: int, other_blocks: int) -> Exchanged:
    random = np.random.default_rng(0)
    first, other = (
        side(random.normal(size=size).tolist(), None, number)
        for number, size in ((documents, blocks), (other_documents, other_blocks))
    )
    whole = [part.totals.sum() / part.counts.sum() for part in (first, other)]
    found = exchange(first, other, paired=False, seed=0)
    assert found.value.item() == pytest.approx(whole[1] - whole[0]), "joining blocks changes no mean"
    return found


def test_blocks_are_joined_until_they_hold_as_many_documents() -> None:
    assert blocks_of(8, 8, 16, 8).blocks == (4, 8)
    assert blocks_of(16, 8, 8, 8).blocks == (8, 4)
    assert blocks_of(8, 8, 9, 8).blocks == (8, 8), "nearly alike"
    assert blocks_of(50, 50, 1000, 100).blocks == (10, 100), "five documents to a block are many"


def test_the_seed_decides() -> None:
    random = np.random.default_rng(0)
    first, other = (Side(random.normal(size=(30, 5)), np.ones((30, 5)), 30) for _ in range(2))
    for paired in (True, False):
        found = [exchange(first, other, paired, seed).joint for seed in (0, 0, 1)]
        assert np.array_equal(found[0], found[1]) and not np.array_equal(found[0], found[2])

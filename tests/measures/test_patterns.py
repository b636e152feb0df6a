"""Patterns by hand: what a planted head, even attention and a head that rests on the first piece score."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headscope.measures.patterns import (
    Pattern,
    Patterns,
    behind,
    duplicate,
    induction,
    on_keys,
    outside,
    previous,
    sink,
    within,
)


def twice(size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """An opening piece and two copies of `size` different ones: ids and copies, (1, piece)."""
    once = torch.arange(size) + 5
    ids = torch.cat([torch.tensor([1]), once, once])[None]
    copies = torch.tensor([-1, *[0] * size, *[1] * size])[None]
    return ids, copies


def all_of(pieces: torch.Tensor) -> torch.Tensor:
    return torch.arange(pieces.shape[1])


def score(pattern: Pattern, weights: torch.Tensor) -> torch.Tensor:
    sums = Patterns.of([pattern]).sums(weights)
    return (sums.mass / sums.rows[:, None])[0, :, 0]


def planted(pattern: Pattern) -> torch.Tensor:
    """A causal head, (1, 1, query, key), that looks at targets, or at the first where it has none."""
    weights = pattern.targets.double()
    weights[..., 0] += ~pattern.targets.any(-1)
    return (weights / weights.sum(-1, keepdim=True))[:, None]


def even(size: int) -> torch.Tensor:
    lower = torch.ones(size, size).tril()
    return (lower / lower.sum(-1, keepdim=True))[None, None]


@given(st.integers(2, 40))
def test_a_planted_head_scores_one_in_a_text_of_any_length(size: int) -> None:
    ids, copies = twice(size)
    queries = all_of(ids)
    for pattern in (induction(ids, queries), duplicate(ids, queries), previous(copies, queries)):
        assert score(pattern, planted(pattern)).tolist() == [1.0]
        without = behind(pattern, queries)
        assert score(without, planted(without)).tolist() == [1.0]


@pytest.mark.parametrize(("first", "last"), [(1, 2), (4, 6)])
def test_a_planted_streaming_head_leaves_nothing_outside_and_a_planted_sink_scores_one(
    first: int, last: int
) -> None:
    for size in (12, 30):
        real = torch.ones(1, size, dtype=torch.bool)
        near = torch.eye(size)[None, None]
        assert score(outside(real, all_of(real), first, last), near).tolist() == [0.0]
        to_first = torch.zeros(1, 1, size, size)
        to_first[..., 0] = 1
        assert score(sink(real, all_of(real), 12), to_first).tolist() == [1.0]
        assert score(outside(real, all_of(real), first, last), to_first).tolist() == [0.0]


def test_targets_of_two_copies_by_hand() -> None:
    ids, copies = twice(3)  # places 0 | 1 2 3 | 4 5 6
    assert induction(ids, all_of(ids)).targets[0].nonzero().tolist() == [[4, 2], [5, 3], [6, 4]]
    assert duplicate(ids, all_of(ids)).targets[0].nonzero().tolist() == [[4, 1], [5, 2], [6, 3]]
    assert previous(copies, all_of(ids)).targets[0].nonzero().tolist() == [[2, 1], [3, 2], [5, 4], [6, 5]]


def test_even_attention_scores_its_share_of_the_keys() -> None:
    ids, copies = twice(3)
    assert score(induction(ids, all_of(ids)), even(7)).item() == pytest.approx((1 / 5 + 1 / 6 + 1 / 7) / 3)
    assert score(previous(copies, all_of(ids)), even(7)).item() == pytest.approx(
        (1 / 3 + 1 / 4 + 1 / 6 + 1 / 7) / 4
    )
    real = torch.ones(1, 7, dtype=torch.bool)
    # Queries 3 to 6 see 4 to 7 keys, of which 1 to 4 are neither the first one nor the last two.
    assert score(outside(real, all_of(real), 1, 2), even(7)).item() == pytest.approx(
        (1 / 4 + 2 / 5 + 3 / 6 + 4 / 7) / 4
    )
    assert score(sink(real, all_of(real), 3), even(7)).item() == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_behind_the_first_piece_a_half_idle_head_is_whole() -> None:
    ids, _ = twice(4)
    pattern = behind(induction(ids, all_of(ids)), all_of(ids))
    idle = 0.5 * planted(pattern)
    idle[..., 0] += 0.5
    sums = Patterns.of([pattern]).sums(idle)
    assert (sums.mass / sums.rows[:, None]).item() == 0.5
    assert (sums.mass / sums.rest).item() == 1.0


def test_a_row_whose_only_target_is_the_first_piece_does_not_count_behind_it() -> None:
    queries = torch.arange(4)
    pattern = behind(duplicate(torch.tensor([[7, 8, 7, 8]]), queries), queries)  # 2 looks at 0, 3 at 1
    assert pattern.rows.tolist() == [[False, False, False, True]]


def test_a_window_that_hides_the_target_hides_the_row() -> None:
    ids, _ = twice(3)
    window = torch.ones(7, 7).tril().bool() & torch.ones(7, 7).triu(-2).bool()  # sees two back
    seen = Patterns.of([induction(ids, all_of(ids)), duplicate(ids, all_of(ids))], window[None])
    assert seen.rows.sum(-1).tolist() == [[3, 0]], "induction is two back, its duplicate three"


def test_rows_without_a_target_count_where_all_are_asked() -> None:
    real = torch.tensor([[True, True, True, False]])
    stops = on_keys(torch.tensor([[False, True, False, True]]), real, all_of(real))
    assert stops.rows.sum().item() == 3 and stops.targets[0].nonzero().tolist() == [[1, 1], [2, 1]]
    assert within(real, all_of(real), 1, 3).targets[0].nonzero().tolist() == [[1, 0], [2, 0], [2, 1]]


@given(st.integers(0, 1000), st.integers(1, 8))
def test_blocks_of_rows_add_up(seed: int, cut: int) -> None:
    ids, copies = twice(4)
    torch.manual_seed(seed)
    weights = torch.rand(1, 3, 9, 9).tril()

    def sums(queries: torch.Tensor):
        return Patterns.of([induction(ids, queries), previous(copies, queries)]).sums(weights[:, :, queries])

    parts = sums(torch.arange(cut)) + sums(torch.arange(cut, 9))
    for part, whole in zip(parts, sums(torch.arange(9)), strict=True):
        assert part.numpy() == pytest.approx(whole.numpy(), abs=1e-5)

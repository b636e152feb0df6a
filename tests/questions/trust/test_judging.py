"""The rule of verdicts, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.blocks import number_of
from headscope.questions.trust.judging import Judged, by_blocks, held_to, judge
from headscope.results.vocabulary import NO, UNDECIDED, YES

DOCUMENTS = np.array([number_of(f"text {number}") for number in range(30)], np.uint64)


def judged(
    value: float | np.ndarray, chance: float = 0.1, best: float = 0.5, documents: np.ndarray = DOCUMENTS
) -> Judged:
    full = np.ones(len(documents))
    return judge(value * full, chance * full, best * full, documents, margin=0.5, seed=0)


def test_by_hand() -> None:
    """Gain .3 of room .4: three quarters of the way, which is more than half of it."""
    found = judged(0.4)
    assert (found.verdict, found.answers, found.documents) == (YES, 30, 30)
    assert found.share == pytest.approx(0.75) and found.low == pytest.approx(0.75)
    assert (found.value, found.baseline, found.ceiling) == pytest.approx((0.4, 0.1, 0.5))


@pytest.mark.parametrize(
    ("value", "verdict"), [(0.31, YES), (0.3, UNDECIDED), (0.29, NO), (0.1, NO), (0.0, NO)]
)
def test_half_of_the_way_is_what_is_asked(value: float, verdict: str) -> None:
    """Exactly half is neither; what rounding adds is nothing."""
    assert judged(value).verdict == judged(value + 1e-15).verdict == verdict


def test_what_is_as_good_as_chance_is_no_yes_where_there_is_no_room() -> None:
    found = judged(0.1, best=0.1)
    assert found.verdict == UNDECIDED and np.isnan(found.share)
    assert found.why == "the best does hardly better than chance"


def test_noise_is_undecided() -> None:
    spread = np.random.default_rng(0).normal(0.3, 0.5, 30)
    assert judged(spread).verdict == UNDECIDED


@pytest.mark.parametrize("count", [1, 5])
def test_few_documents_decide_nothing(count: int) -> None:
    found = judged(0.5, documents=DOCUMENTS[:count])
    assert found.verdict == UNDECIDED and found.why == f"{count} texts are too few to tell from chance"


def test_many_answers_to_few_documents_decide_nothing() -> None:
    assert judged(0.5, documents=np.repeat(DOCUMENTS[:5], 20)).verdict == UNDECIDED


def test_an_answer_without_a_number_does_not_count() -> None:
    values = np.full(30, 0.4)
    values[:3] = np.nan
    assert judged(values).answers == 27


def test_blocks_are_those_of_documents() -> None:
    documents = np.array([105, 5, 7], np.uint64)
    sums = by_blocks(np.array([[1.0], [2.0], [4.0]]), documents)
    assert (sums[5, 0], sums[7, 0], sums.sum()) == (3.0, 4.0, 7.0)


@pytest.mark.parametrize(
    ("value", "above", "verdict"), [(0.2, True, YES), (0.2, False, NO), (0.01, True, NO)]
)
def test_what_is_held_to_a_bound(value: float, above: bool, verdict: str) -> None:
    found = held_to(np.full(30, value), 0.05, DOCUMENTS, 0, above=above)
    assert (found.verdict, found.baseline) == (verdict, 0.05)
    assert (found.value, found.value_low, found.value_high) == pytest.approx((value,) * 3)


def test_a_median_has_an_interval_of_its_own() -> None:
    """Of 5 zeros and 25 ones the median is one, whatever a few draws say; of halves it is open."""
    clear = held_to(np.repeat([0.0, 1.0], [5, 25]), 0.5, DOCUMENTS, 0, above=True, median=True)
    even = held_to(np.repeat([0.0, 1.0], 15), 0.5, DOCUMENTS, 0, above=True, median=True)
    assert (clear.verdict, clear.value, clear.value_low) == (YES, 1.0, 1.0)
    assert (even.verdict, even.value_low, even.value_high) == (UNDECIDED, 0.0, 1.0)
    few = held_to(np.ones(5), 0.5, DOCUMENTS[:5], 0, above=True, median=True)
    assert few.verdict == UNDECIDED and np.isnan(few.value_low)

"""Points of an epoch, and rates step by step."""

from __future__ import annotations

from itertools import pairwise

import pytest

from headscope.tasks.course import Course, Descent, Moment


@pytest.mark.parametrize(
    ("steps", "evaluations", "stretches"),
    [(10, 4, [3, 2, 3, 2]), (8, 3, [3, 3, 2]), (2, 4, [1, 1]), (5, 1, [5]), (None, 1, [None])],
)
def test_the_points_of_an_epoch(steps: int | None, evaluations: int, stretches: list[int | None]) -> None:
    assert Course(evaluations=evaluations).stretches(steps) == stretches


def test_a_rate_rises_and_falls() -> None:
    rates = [Descent(rate=2.0).rate_at(Moment(step, 0, 1, 50)) for step in range(50)]
    assert rates[:4] == pytest.approx([2 / 3, 4 / 3, 2.0, 2.0]) and max(rates) == 2.0
    assert rates[-1] == pytest.approx(2 / 47)
    assert all(one > other for one, other in pairwise(rates[3:]))


def test_a_rate_falls_with_the_epochs_or_stays() -> None:
    moments = [Moment(3 * epoch, epoch, 4) for epoch in range(4)]
    assert [Descent(2.0, schedule="stairs").rate_at(moment) for moment in moments] == [2.0, 1.5, 1.0, 0.5]
    assert {Descent(2.0, schedule="flat").rate_at(moment) for moment in moments} == {2.0}


def test_warming_up_needs_the_number_of_steps() -> None:
    with pytest.raises(ValueError, match="needs to know the number of steps"):
        Descent().rate_at(Moment(0, 0, 3))

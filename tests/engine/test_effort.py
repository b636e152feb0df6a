"""Plans with their times, foreseen by hand on a clock that the test moves."""

from __future__ import annotations

import pytest

from headscope.engine.effort import Announcing, Step, Steps, passes_over, tell_past


class Desk:
    """Who is told of progress and plans, beside a clock."""

    def __init__(self, steps: Steps, quick: Steps = ()) -> None:
        self.now, self.told, self.done = 0.0, list[str](), list[tuple[int, int]]()
        self.progress = Announcing(steps, quick, self._advance, self.told.append, lambda: self.now)
        self.work(100, 0)  # the first batch, which tells no speed

    def _advance(self, segments: int, words: int) -> None:
        self.done.append((segments, words))

    def work(self, seconds: float, words: int) -> None:
        self.now += seconds
        self.progress(1, words)


def test_a_plan_is_announced_once_with_the_time_of_the_first_batches() -> None:
    """100 words in 6 seconds, so 1,000 in 60, and twice as many in two minutes."""
    desk = Desk([passes_over(1000, 2)])
    desk.work(3, 50)
    assert desk.told == [], "too early to tell"
    desk.work(3, 50)
    assert desk.told == ["2 passes over 1,000 words: about 2 min"]
    desk.work(30, 500)
    assert len(desk.told) == 1 and desk.done == [(1, 0), (1, 50), (1, 50), (1, 500)]


def test_the_first_batch_is_no_measure_of_the_others() -> None:
    """It took 100 s for its 100 words; 10 more take 10 s, so 900 are 15 min."""
    desk = Desk([passes_over(1000)])
    desk.progress = Announcing([passes_over(1000)], (), desk._advance, desk.told.append, lambda: desk.now)
    desk.work(100, 100)
    desk.work(10, 10)
    assert desk.told == ["1,000 words: about 15 min"]


def test_work_that_is_soon_done_is_not_announced() -> None:
    desk = Desk([passes_over(1000)])
    for _ in range(10):
        desk.work(5.9, 100)
    assert desk.told == []


def test_passes_make_steps_dearer_and_quick_is_told_beside() -> None:
    """10 words in 6 s; the second step has 50 passes over its 100 words: 5,100 passes, 3,060 s in all."""
    steps = [Step("importance", 100), Step("5 orders x 10 steps on 9 examples", 100, 50.0)]
    desk = Desk(steps, [Step("", 100), Step("", 100, 3.0)])
    desk.work(6, 10)
    assert desk.told == ["importance; 5 orders x 10 steps on 9 examples: about 51 min; --quick: about 4 min"]


def test_a_time_that_turns_out_wrong_is_corrected() -> None:
    """600 s are foreseen; the second step takes ten times as long: 1,500 s for 140 of 200 words."""
    desk = Desk([Step("listening", 100), Step("training", 100)])
    desk.work(30, 10)
    assert desk.told == ["listening; training: about 10 min"]
    desk.work(270, 90)
    desk.work(150, 5)
    assert len(desk.told) == 1
    desk.work(1050, 35)
    assert desk.told[1:] == ["about 36 min in all, as it turns out"]


def test_what_was_done_before_says_nothing_of_the_speed_now() -> None:
    """Of 1,000 words 900 are old; 10 in 10 s leave 90 s more."""
    desk = Desk([passes_over(1000)])
    tell_past(desk.progress, 9, 900)
    desk.work(10, 10)
    assert desk.told == ["1,000 words: about 2 min"] and desk.done == [(1, 0), (9, 900), (1, 10)]


def test_a_function_is_told_of_the_past_as_of_all_else() -> None:
    told: list[tuple[int, int]] = []
    tell_past(lambda segments, words: told.append((segments, words)), 0, 7)
    tell_past(None, 0, 7)
    tell_past(lambda *_: pytest.fail("nothing is no news"), 0, 0)
    assert told == [(0, 7)]

"""What training keeps: the best weights by turns, the state that names them, and who has stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headscope.tasks.checkpoints import Journal, Memory
from headscope.tasks.journey import Journey, Judged, Mark
from headscope.tasks.learner import Arrays
from tests.tasks.stopping import Kept, Stopped


def mark(score: float, loss: float, best: bool, step: int = 1) -> Mark:
    return Mark(step, 1.0, 1.0, 1.0, loss, score, 0.1, best)


def state(value: float) -> Arrays:
    return {"weights/w": np.array([value]), "exp_avg/w": np.array([10 * value])}


def test_among_equal_scores_the_lower_loss_is_better() -> None:
    journey = Journey([mark(0.5, 0.7, True), mark(0.4, 0.1, False)])
    assert journey.misses == 1
    assert journey.beaten_by(Judged(0.5, 0.6)) and journey.beaten_by(Judged(0.6, 9.0))
    assert not journey.beaten_by(Judged(0.5, 0.7)) and not journey.beaten_by(Judged(0.4, 0.0))


def test_where_nothing_judges_the_last_is_best() -> None:
    assert Journey([Mark(1, 1.0, 1.0, 1.0, None, None, 0.1, True)]).beaten_by(None)


def keep(journal: Journal, values: dict[str, tuple[float, bool]], step: int) -> None:
    for name, (value, best) in values.items():
        journal.journeys[name].marks.append(mark(value, 0.0, best, step))
    journal.keep({name: state(value) for name, (value, _) in values.items()}, (step, 5 * step))


@pytest.mark.parametrize("kind", [Kept, Memory])
def test_each_learner_keeps_its_own_best(kind: type[Any]) -> None:
    journal = Journal(kind(), ["one", "other"])
    keep(journal, {"one": (1.0, True), "other": (2.0, True)}, 1)
    keep(journal, {"one": (0.5, False), "other": (3.0, True)}, 2)
    assert [journal.best(name)["w"].item() for name in ("one", "other")] == [1, 3]


def test_a_journal_is_taken_up_as_it_was() -> None:
    store = Kept()
    journal = Journal(store, ["one", "other"])
    assert (journal.points, journal.step, journal.seconds, journal.states) == (0, 0, 0.0, {})
    keep(journal, {"one": (1.0, True), "other": (2.0, True)}, 4)
    keep(journal, {"one": (0.5, False), "other": (3.0, True)}, 8)
    assert journal.learning(1) == ["other"] and journal.learning(None) == ["one", "other"]
    keep(journal, {"other": (2.5, False)}, 12)
    again = Journal(store, ["one", "other"])
    assert again.journeys == journal.journeys and again.learning(2) == ["one", "other"]
    assert (again.points, again.step, again.told) == (3, 12, (12, 60))
    assert list(again.states) == ["other"], "one had stopped"
    assert {path: array.item() for path, array in again.states["other"].items()} == {
        "weights/w": 2.5,
        "exp_avg/w": 25,
    }
    assert [again.best(name)["w"].item() for name in ("one", "other")] == [1, 3]


def test_the_best_weights_are_whole_while_others_are_written() -> None:
    """Stopped between the best weights and the state: the state still names the old best."""

    class Torn(Kept):
        def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None:
            if number == 0 and self.all.get(0):
                raise Stopped
            super().write(number, arrays, meta)

    store = Torn()
    journal = Journal(store, ["one"])
    keep(journal, {"one": (1.0, True)}, 1)
    with pytest.raises(Stopped):
        keep(journal, {"one": (2.0, True)}, 2)
    assert {arrays["w"].item() for number, (arrays, _) in store.all.items() if number} == {1, 2}
    assert Journal(store, ["one"]).best("one")["w"].item() == 1


def test_memory_holds_one_copy_of_the_best() -> None:
    memory = Memory()
    journal = Journal(memory, ["one"])
    for step in (1, 2, 3):
        keep(journal, {"one": (float(step), True)}, step)
    assert memory.read(0) is None, "nothing to go on from"
    assert len(memory._best) == 1 and journal.best("one")["w"].item() == 3

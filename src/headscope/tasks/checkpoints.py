"""Where training keeps its state, so that a stopped one goes on to the same bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Protocol

from headscope.tasks.journey import Journey, Mark
from headscope.tasks.learner import Arrays, weights_of

_STATE = 0


class Checkpoints(Protocol):
    """Numbered places for arrays and plain values, each written in one step: a part of a run's store."""

    def read(self, number: int) -> tuple[Arrays, dict[str, Any]] | None: ...

    def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None: ...


class Memory:
    """Keeps the best weights alone: what is in memory is gone with the process, and never taken up again."""

    def __init__(self) -> None:
        self._best: dict[int, Arrays] = {}

    def read(self, number: int) -> tuple[Arrays, dict[str, Any]] | None:
        arrays = self._best.get(_owner(number))
        return None if arrays is None else (arrays, {})

    def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None:
        if number != _STATE:
            self._best[_owner(number)] = arrays


class Journal:
    """The journeys of all learners, as a store has them; new ones where it has none.

    states: what the learners had reached, by name, those that had stopped left out. told: examples and
    words that progress was told of. Best weights go into two places by turns: the last state that was
    written names one that is whole.
    """

    def __init__(self, store: Checkpoints, names: Iterable[str]) -> None:
        self._store = store
        self.journeys = {name: Journey() for name in names}
        self._numbers = {name: number for number, name in enumerate(self.journeys)}
        self.states: dict[str, Arrays] = {}
        self.told = (0, 0)
        checkpoint = store.read(_STATE)
        if checkpoint is not None:
            self._take_up(*checkpoint)

    @property
    def points(self) -> int:
        """How many points are behind."""
        return max(len(journey.marks) for journey in self.journeys.values())

    @property
    def step(self) -> int:
        """How many steps are behind."""
        return max((journey.marks[-1].step for journey in self._begun()), default=0)

    @property
    def seconds(self) -> float:
        """How long they took."""
        return max((journey.marks[-1].seconds for journey in self._begun()), default=0.0)

    def learning(self, patience: int | None) -> list[str]:
        """Who has not stopped."""
        return [
            name for name, journey in self.journeys.items() if patience is None or journey.misses < patience
        ]

    def keep(self, states: Mapping[str, Arrays], told: tuple[int, int]) -> None:
        """Write the states that were just marked; of the best, the weights first, to the place not in use."""
        for name, state in states.items():
            journey = self.journeys[name]
            if journey.marks[-1].best:
                journey.place = 1 - journey.place
                self._store.write(self._place(name), weights_of(state), {})
        arrays = {
            f"{self._numbers[name]}/{path}": array
            for name, state in states.items()
            for path, array in state.items()
        }
        journeys = {name: asdict(journey) for name, journey in self.journeys.items()}
        self._store.write(_STATE, arrays, {"journeys": journeys, "told": list(told)})

    def best(self, name: str) -> Arrays:
        """The weights that did best."""
        checkpoint = self._store.read(self._place(name))
        assert checkpoint is not None
        return checkpoint[0]

    def _begun(self) -> list[Journey]:
        return [journey for journey in self.journeys.values() if journey.marks]

    def _place(self, name: str) -> int:
        return 1 + 2 * self._numbers[name] + self.journeys[name].place

    def _take_up(self, arrays: Arrays, meta: dict[str, Any]) -> None:
        for name, journey in meta["journeys"].items():
            self.journeys[name] = Journey([Mark(**mark) for mark in journey["marks"]], journey["place"])
        examples, words = meta["told"]
        self.told = (examples, words)
        names = list(self.journeys)
        for path, array in arrays.items():
            number, _, rest = path.partition("/")
            self.states.setdefault(names[int(number)], {})[rest] = array


def _owner(number: int) -> int:
    """Whose best weights a place holds; of the state, -1."""
    return (number - 1) // 2

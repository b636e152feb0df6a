"""Stores and interruptions, to stop training anywhere and go on."""

from __future__ import annotations

from typing import Any

from headscope.tasks.journey import Mark
from headscope.tasks.learner import Arrays


class Kept:
    """A store in memory that forgets nothing."""

    def __init__(self) -> None:
        self.all: dict[int, tuple[Arrays, dict[str, Any]]] = {}

    def read(self, number: int) -> tuple[Arrays, dict[str, Any]] | None:
        return self.all.get(number)

    def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None:
        self.all[number] = (arrays, meta)


class Stopped(Exception):
    pass


class Stop:
    """A progress that interrupts after it was told so often."""

    def __init__(self, after: int, error: type[BaseException] = Stopped) -> None:
        self.left, self.error = after, error

    def __call__(self, examples: int, words: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise self.error


def without_time(marks: list[Mark]) -> list[tuple[object, ...]]:
    return [
        (mark.step, mark.train_loss, mark.dev_loss, mark.dev_score, mark.rate, mark.best) for mark in marks
    ]

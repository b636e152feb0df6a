"""memory where nothing is to be found: a net that was hardly trained, a model that never was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from headscope.results.result import Result
from tests.questions.memory.made import FEW
from tests.questions.noise import Noise, asked, untrained


def answer(place: Path) -> Result:
    nets = asked("memory", model="gru", **FEW | {"steps": 1, "seeds": 2})
    few = {"classes": 2, "examples": 40, "delays": (1, 4)}
    read = asked("memory", model=untrained(place), **few)
    # What nets give, beside what a model gives.
    return replace(read, tables=nets.tables | read.tables, declared=nets.declared | read.declared)


NOISE = Noise(answer, sentences=(3, 9))

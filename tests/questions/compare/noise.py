"""compare where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.cli.conftest import written
from tests.questions.noise import Noise, asked, untrained, write


def answer(place: Path) -> Result:
    """One model on two texts of the same kind."""
    model, runs = untrained(place), [place / "run-0", place / "run-1"]
    for seed, run in enumerate(runs):
        text = write(place / f"{seed}.txt", written(20, seed))
        asked("survey", run, model=model, text=text, pieces=32, gradients=False, distances=False)
    return asked("compare", runs=runs)


NOISE = Noise(answer, about_heads=("differences",))

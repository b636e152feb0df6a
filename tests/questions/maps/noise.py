"""maps where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import TEXT, Noise, asked, untrained


def answer(place: Path) -> Result:
    return asked("maps", model=untrained(place), text=TEXT)


NOISE = Noise(answer, about_heads=("links",), sentences=(1, 1), looks=True)

"""show where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, untrained

TEXT = "The old [MASK] passed the old keeper."


def answer(place: Path) -> Result:
    heads = {"head": ["L0H1", "L1H2"], "off": ["L0H0"]}
    return asked("show", model=untrained(place), text=TEXT, by=["rollout"], **heads)


NOISE = Noise(answer, about_heads=("links",), sentences=(1, 5), looks=True)

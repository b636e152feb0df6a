"""explain of a model whose weights are noise."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, untrained


def answer(place: Path) -> Result:
    return asked("explain", model=untrained(place), data="The old [MASK] passed the old keeper.", flip=True)


NOISE = Noise(answer, sentences=(1, 5), looks=True)

"""retrieve where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.cli.conftest import written
from tests.questions.noise import Noise, asked, write
from tests.questions.survey.noise import untrained_causal


def answer(place: Path) -> Result:
    text = write(place / "hay.txt", written(20))
    return asked("retrieve", model=untrained_causal(place), text=text, lengths=(40,), depths=2, secret=2)


NOISE = Noise(answer, about_heads=("heads", "known_needles"), sentences=(2, 5))

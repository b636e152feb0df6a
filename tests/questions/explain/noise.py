"""explain of a model whose weights are noise."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import TEXT, Noise, asked
from tests.questions.survey.noise import untrained_causal


def answer(place: Path) -> Result:
    return asked("explain", model=untrained_causal(place), data=TEXT, flip=True, heads=True, by_sentence=True)


NOISE = Noise(answer, about_heads=("made_by",), sentences=(1, 5), looks=True)

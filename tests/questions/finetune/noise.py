"""finetune where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, labelled, untrained


def answer(place: Path) -> Result:
    data, test = labelled(place / "train.tsv", 40, 0), labelled(place / "test.tsv", 40, 1)
    return asked("finetune", model=untrained(place), data=data, test=test, epochs=2, batch_size=4)


NOISE = Noise(answer)

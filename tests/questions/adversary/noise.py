"""adversary where nothing is to be found: weights as before training, labels that say nothing."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.nets.made import save_pooled
from tests.questions.noise import Noise, asked, labelled


def answer(place: Path) -> Result:
    train, data = labelled(place / "train.tsv", 24, 0), labelled(place / "test.tsv", 24, 1)
    course = {"penalties": (0, 0.1, 1), "given": (0.1,), "around": (0.1,), "around_seeds": 5}
    return asked(
        "adversary", model=save_pooled(place / "net"), data=data, train=train, seeds=2, epochs=1, **course
    )


# What adversaries do to a score is tested over models, not over texts.
NOISE = Noise(answer, untested=("verdict",))

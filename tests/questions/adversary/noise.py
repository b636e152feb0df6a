"""adversary where nothing is to be found: weights as before training, labels that say nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from headscope.results.result import Result
from tests.nets.made import save_pooled
from tests.questions.noise import Noise, asked, labelled


def answer(place: Path) -> Result:
    given: dict[str, Any] = {
        "model": save_pooled(place / "net"),
        "data": labelled(place / "test.tsv", 24, 1),
        "train": labelled(place / "train.tsv", 24, 0),
        "epochs": 1,
    }
    other = asked("adversary", **given, quick=True)
    course = {"penalties": (0, 0.1, 1), "given": (0.1,), "around": (0.1,), "around_seeds": 6}
    return asked("adversary", **given, seeds=2, beside=(other,), **course)


# What adversaries do to a score is tested over models, not over texts.
NOISE = Noise(answer, untested=("verdict",))

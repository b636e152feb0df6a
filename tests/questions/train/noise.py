"""train on labels that are noise."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, labelled


def answer(place: Path) -> Result:
    data, test = labelled(place / "train.tsv", 40, 0), labelled(place / "test.tsv", 40, 1)
    size = {"hidden": 4, "vectors": "random", "width": 4, "epochs": 2, "batch_size": 8}
    return asked("train", place / "run", net="disan", data=data, test=test, seeds=2, keep="epoch", **size)


NOISE = Noise(answer)

"""layers where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, trees, untrained


def answer(place: Path) -> Result:
    options = {"seeds": 2, "twins": 1, "steps": 20, "width": 8, "task": ("deps",)}
    return asked("layers", model=untrained(place), data=trees(place / "trees.conllu"), **options)


NOISE = Noise(answer, about_heads=("layer_heads",), untested=("layer_targets", "layer_published"))

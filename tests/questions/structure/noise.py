"""structure where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, trees, untrained


def answer(place: Path) -> Result:
    treebank = trees(place / "trees.conllu")
    series = [untrained(place, seed=seed) for seed in (1, 2)]
    return asked("structure", model=untrained(place), treebank=treebank, twins=3, checkpoints=series)


NOISE = Noise(answer, about_heads=("structure", "structure_tests", "structure_reception", "structure_onsets"))

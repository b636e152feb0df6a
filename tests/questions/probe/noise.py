"""probe where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, trees, untrained, write

VECTORS = "the 1 0 0\nship 0 1 0.5\nkeeper 0.2 0 1\nbook 0 0.7 0.1\n"


def answer(place: Path) -> Result:
    treebank = trees(place / "trees.conllu")
    vectors = write(place / "vectors.txt", VECTORS)
    options = {"seeds": 2, "twins": 2, "epochs": 1}
    return asked("probe", model=untrained(place), treebank=treebank, vectors=vectors, **options)


NOISE = Noise(answer, about_heads=("probe_heads",))

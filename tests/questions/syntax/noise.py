"""syntax where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, trees, untrained


def answer(place: Path) -> Result:
    treebank = trees(place / "trees.conllu")
    return asked("syntax", model=untrained(place), treebank=treebank, least=5, twins=3)


NOISE = Noise(answer, about_heads=("attachment", "head_relations", "known_relations"))

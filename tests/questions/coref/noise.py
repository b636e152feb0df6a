"""coref where nothing is to be found."""

from __future__ import annotations

import random
from pathlib import Path

from headscope.results.result import Result
from tests.mentions import conll, marked
from tests.questions.noise import Noise, asked, untrained, write


def mentions(path: Path, documents: int = 40) -> Path:
    """Documents of random words in which random ones are mentions of the same."""
    draw = random.Random(0)
    kinds = ("he", "she", "anna", "rome", "baker", "dog", "saw", "and")
    made = []
    for number in range(documents):
        words = draw.choices(kinds, k=19)
        named = draw.sample([place for place, word in enumerate(words) if word not in ("saw", "and")], 8)
        spans = [(place, place + 1, draw.choice("abc")) for place in named]
        made.append(marked(f"doc{number}", " ".join([*words, "."]), spans))
    return write(path, conll(made))


def answer(place: Path) -> Result:
    corpus = mentions(place / "small.conll")
    return asked("coref", model=untrained(place), corpus=corpus, window=22, twins=3)


NOISE = Noise(answer, about_heads=("coref_heads", "known_mentions"))

"""sentences where nothing is to be found."""

from __future__ import annotations

import random
from pathlib import Path

from headscope.results.result import Result
from tests.questions.noise import WORDS, Noise, asked, untrained, write

VECTORS = "the 1 0 0\nship 0 1 0.5\nkeeper 0.2 0 1\nbook 0 0.7 0.1\n"


def answer(place: Path) -> Result:
    """Sentences of random words with random labels."""
    draw = random.Random(0)
    splits = ["tr"] * 120 + ["va"] * 40 + ["te"] * 120
    rows = [f"{split}\t{draw.choice('AB')}\t{' '.join(draw.choices(WORDS, k=7))}" for split in splits]
    (place / "few.txt").write_text("tr\tA\tthe old ship\n")
    data = [write(place / "labels.txt", "\n".join(rows) + "\n"), place / "few.txt"]
    vectors = write(place / "vectors.txt", VECTORS)
    few = {"least": 200, "hidden": (3,), "seeds": 1, "pooling": ["mean"]}
    return asked("sentences", model=untrained(place), data=data, vectors=vectors, **few)


NOISE = Noise(answer, untested=("sentence_tasks",))

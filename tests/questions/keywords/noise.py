"""keywords where nothing is to be found."""

from __future__ import annotations

import random
from pathlib import Path

from headscope.results.result import Result
from tests.questions.keywords.made import write_archive
from tests.questions.noise import WORDS, Noise, asked, untrained


def answer(place: Path) -> Result:
    """Texts of random words, of which some are called keywords at random."""
    draw = random.Random(0)
    content = {}
    for number in range(20):
        words = draw.choices(WORDS, k=24)
        content[str(number)] = (" ".join(words) + ".", draw.sample(sorted(set(words)), 2))
    corpus = write_archive(place / "Inspec.zip", content)
    options = {"epochs": 1, "steps": 2, "random": 2, "twins": 1, "pieces": 32}
    return asked("keywords", model=untrained(place), corpus=corpus, **options)


NOISE = Noise(
    answer,
    about_heads=("keyword_heads", "keyword_scores", "known_keywords", "keyword_removed"),
    untested=("keyword_texts", "keyword_speed", "keyword_published"),
)

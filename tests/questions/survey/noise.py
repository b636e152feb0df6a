"""survey where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from headscope.results.result import Result
from headscope.results.vocabulary import SYNTAX
from tests.cli.conftest import written
from tests.questions.noise import Noise, asked, untrained, write
from tests.questions.syntax.noise import answer as known_by_syntax


def answer(place: Path) -> Result:
    known = known_by_syntax(place)
    known.tables["known_relations"] = pd.DataFrame(
        [("L0H1", SYNTAX, "det", 0.7, "told by hand")], columns=["head", "role", "name", "score", "rule"]
    )
    text = write(place / "text.txt", written(20))
    return asked("survey", model=untrained(place), text=text, pieces=32, known=[known])


NOISE = Noise(answer, about_heads=("heads", "shares", "offsets", "special", "gradients"))

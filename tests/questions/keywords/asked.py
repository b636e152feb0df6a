"""How keywords is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.questions.keywords.made import texts, write_table


def write(folder: Path) -> dict[str, Any]:
    write_table(folder / "texts.csv", texts(16))
    return {"model": "bert", "corpus": "texts.csv", "twins": 1}


# Speed is never twice the same; that the tagger goes on where it was stopped has a test of its own.
ASKED = Asked(
    write,
    data=("corpus",),
    pictures={"epochs": 1, "steps": 2, "random": 1, "twins": 0},
    counted=("keyword_texts",),
)

"""How trust is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.cli.labelled import rows, save_model, write_texts

BY = ("rollout", "attention-gradient", "gradient-input")


def write_edited(path: Path, number: int) -> Path:
    """Texts with a label, an edit of each that says the contrary, the word that decides, other words."""
    lines = ["sentence\tlabel\tedited\tmarked\treworded"]
    for text, label in rows(number):
        *rest, noun = text.split()
        other = "night" if label else "ship"
        lines.append(f"{text}\t{label}\t{' '.join([*rest, other])}\t{noun}\t{' '.join([noun, *rest])}")
    path.write_text("\n".join(lines) + "\n")
    return path


def write(folder: Path) -> dict[str, Any]:
    save_model(folder / "classifier")
    write_texts(folder / "test.tsv", 20)
    return {"model": "classifier", "data": "test.tsv", "by": BY, "words": 4, "adversaries": 8}


ASKED = Asked(write, data=("data",), memory=False, twins=False)

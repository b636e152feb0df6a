"""How trust is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.cli.labelled import rows, save_model


def write_edited(path: Path, number: int) -> Path:
    """Texts with a label, an edit of each that says the contrary, and the word that decides."""
    lines = ["sentence\tlabel\tedited\tmarked"]
    for text, label in rows(number):
        *rest, noun = text.split()
        other = "night" if label else "ship"
        lines.append(f"{text}\t{label}\t{' '.join([*rest, other])}\t{noun}")
    path.write_text("\n".join(lines) + "\n")
    return path


def write(folder: Path) -> dict[str, Any]:
    save_model(folder / "classifier")
    save_model(folder / "other", seed=1)
    write_edited(folder / "test.tsv", 20)
    return {
        "model": "classifier", "data": "test.tsv", "by": ("rollout", "attention-gradient", "gradient-input"),
        "words": 4, "batch_size": 16, "against": ("other",), "edited": "edited", "marked": "marked",
        "train": "test.tsv",
    }  # fmt: skip


ASKED = Asked(write, data=("data", "train"), memory=False, twins=False)

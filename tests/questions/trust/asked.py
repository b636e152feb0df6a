"""How trust is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.cli.labelled import save_model, write_texts


def write(folder: Path) -> dict[str, Any]:
    save_model(folder / "classifier")
    write_texts(folder / "test.tsv", 24)
    return {
        "model": "classifier", "data": "test.tsv", "by": ("rollout", "attention-gradient", "gradient-input"),
        "words": 4, "batch_size": 4,
    }  # fmt: skip


ASKED = Asked(write, data=("data",), memory=False, twins=False)

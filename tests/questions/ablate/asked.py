"""How ablate is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.cli.labelled import save_model, write_texts


def write(folder: Path) -> dict[str, Any]:
    save_model(folder / "classifier")
    for seed, name in enumerate(("test", "train", "other")):
        write_texts(folder / f"{name}.tsv", 24, seed)
    return {"model": "classifier", "data": "test.tsv", "train": "train.tsv", "other": "other.tsv"}


ASKED = Asked(write, data=("data", "train", "other"), memory=False, twins=False)

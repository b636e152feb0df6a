"""How prune is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.cli.labelled import save_model, write_texts


def write(folder: Path) -> dict[str, Any]:
    save_model(folder / "classifier")
    for seed, name in enumerate(("test", "train")):
        write_texts(folder / f"{name}.tsv", 24, seed)
    few = {"steps": 2, "random": 1, "gate_steps": 4, "remove": 0.25, "speed": False}
    return {"model": "classifier", "data": "test.tsv", "train": "train.tsv", **few}


# Speed is never twice the same, so only a picture of it is made.
ASKED = Asked(
    write,
    data=("data", "train"),
    memory=False,
    twins=False,
    pictures={"speed": True, "gate_steps": 0, "pieces": 16},
    counted=("pruned_model",),
)

"""How finetune is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked, stopped_clock
from tests.cli.labelled import write_texts


def write(folder: Path) -> dict[str, Any]:
    for seed, (name, rows) in enumerate({"train.tsv": 32, "dev.tsv": 12, "test.tsv": 12}.items()):
        write_texts(folder / name, rows, seed)
    data = {"data": "train.tsv", "dev": "dev.tsv", "test": "test.tsv"}
    return {"model": "bert", **data, "epochs": 2, "batch_size": 4, "evaluations": 2}


# A table tells how long the training took.
ASKED = Asked(
    write,
    data=("data", "dev", "test"),
    memory=False,
    clocks={"headscope.tasks.training.monotonic": stopped_clock},
)

"""How adversary is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.cli.labelled import write_texts
from tests.nets.made import save_pooled


def write(folder: Path) -> dict[str, Any]:
    save_pooled(folder / "pooled")
    write_texts(folder / "train.tsv", 20)
    write_texts(folder / "test.tsv", 10, 1)
    course = {
        "penalties": (0, 0.1),
        "given": (0.1,),
        "seeds": 1,
        "epochs": 1,
        "batch_size": 10,
        "instances": 0,
    }
    return {"model": "pooled", "data": "test.tsv", "train": "train.tsv", **course}


ASKED = Asked(write, data=("data", "train"), memory=False, twins=False)

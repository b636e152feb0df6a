"""Another way to the same answers: copies of the embedded encoder, on SST-2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import headscope
from benchmarks.adversary import in_folder
from benchmarks.command import command
from benchmarks.data import path
from benchmarks.rows import Row
from benchmarks.tasks import SST
from benchmarks.timing import counted, seconds_of
from benchmarks.ways import encoder_rows

TITLE = "Adversaries: an encoder"
SAYS = (
    "`headscope adversary` on one thread: the embedded model fine-tuned on 2,560 sentences of SST-2, "
    "adversaries from copies of it, a tenth of the sentences held out. JSD is of heads matched within a "
    "layer, unless it is said to be by index. The complete run is kept in build/adversary and goes on where "
    "it was stopped; the processor time of all its pieces is added up."
)
DATA = tuple(SST.values())
REDUCED: dict[str, Any] = {"reduced": True}
PENALTIES: dict[str, Any] = {
    "penalties": (0, 0.01, 0.1),
    "seeds": 2,
    "epochs": 3,
    "train_limit": 2560,
    "controls": False,
    "frozen": False,
    "instances": 0,
}
SMALL: dict[str, Any] = {"penalties": (0, 0.1), "seeds": 1, "epochs": 1, "train_limit": 32, "limit": 20}


def run(reduced: bool = False, out: Path | None = None) -> list[Row]:
    """A sweep, and what --quick does of it."""
    return in_folder(encoder, "encoder", reduced, out)


def encoder(place: Path, reduced: bool) -> list[Row]:
    files = {part: path(name) for part, name in SST.items()}
    with counted(place, "train"):
        headscope.finetune(
            "default", files["data"], limit=32 if reduced else 2560, out=place / "base", plots=False
        )
    found = {}
    for name, more in (("adversary", {}), ("quick", {"quick": True})):
        with counted(place, name):
            found[name] = headscope.adversary(
                place / "base" / "model", files["test"], train=files["data"], out=place / name, plots=False,
                **PENALTIES | (SMALL if reduced else {}) | more,
            )  # fmt: skip
    return encoder_rows(found["adversary"], seconds_of(place, "adversary"), seconds_of(place, "quick"))


if __name__ == "__main__":
    sys.exit(command(TITLE, __doc__, run))

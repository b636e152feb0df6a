"""Another way to the same answers: Wiegreffe and Pinter 2019 on SST."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import headscope
from benchmarks.adversary import SMALL, asked, in_folder, run_of
from benchmarks.command import command
from benchmarks.nets import BILSTM, SST, binary_sst
from benchmarks.rows import Row
from benchmarks.timing import counted, seconds_of
from benchmarks.ways import sst_rows

TITLE = "Adversaries: a classifier"
SAYS = (
    "`headscope adversary` on one thread: a BiLSTM of 64 states a direction under additive attention on the "
    "binary sentences of SST of more than 5 words, without punctuation. Its adversaries start from fresh "
    "weights and its word vectors, learn for 6 epochs and keep the total variation of answers low; those "
    "that look elsewhere give their maps to a net of single words. Published is Wiegreffe and Pinter 2019. "
    "The complete run is kept in build/adversary and goes on where it was stopped."
)
DATA = tuple(SST.values())
REDUCED: dict[str, Any] = {"reduced": True}
PENALTIES: dict[str, Any] = {
    "penalties": (0, 0.001, 0.004, 0.01),
    "given": (0.004, 0.01),
    "distance": "tvd",
    "optimiser": "amsgrad",
    "epochs": 6,
}


def run(reduced: bool = False, out: Path | None = None) -> list[Row]:
    """Penalties, controls and given maps."""
    return in_folder(classifier, "sst", reduced, out)


def classifier(place: Path, reduced: bool) -> list[Row]:
    files = binary_sst(place, 200 if reduced else None, bare=True)
    course = BILSTM | {"epochs": 1 if reduced else 4, "dropout": 0.0}
    with counted(place, "train"):
        headscope.train("pooled", **files, out=place / "base", plots=False, **course)
    with counted(place, "adversary"):
        options = PENALTIES | (SMALL if reduced else {"beside": drawn_beside(place.parent / "chunker")})
        result = asked(place, files, options, dev=files["dev"])
    return sst_rows(result, seconds_of(place, "adversary"))


def drawn_beside(place: Path) -> tuple[Path, ...]:
    """The run of another folder, if it has been made."""
    run = run_of(place)
    return (run,) if (run / "tables").exists() else ()


if __name__ == "__main__":
    sys.exit(command(TITLE, __doc__, run))

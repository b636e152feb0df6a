"""Another way to the same answers: Yang's chunker, with frozen maps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import headscope
from benchmarks.command import command
from benchmarks.data import ROOT, path
from benchmarks.rows import Row, told
from benchmarks.tasks import CHUNKS, unzipped
from benchmarks.timing import computing_with, counted, seconds_of
from benchmarks.ways import chunker_rows
from headscope.results.result import Result

TITLE = "Adversaries"
SAYS = (
    "`headscope adversary` on one thread: the one-layer tagger of `headscope train tagger` on CoNLL-2000, "
    "whose adversaries learn its tags in 4 epochs, away from its attention by KL(adversary || model) per "
    "query, in nats; published are single runs (Yang, Is Attention Points Out the Only Path?), whose KL "
    "is of another scale and whose maps were never frozen. JSD is of heads matched within a layer, unless it "
    "is said to be by index. The complete run is kept in build/adversary and goes on where it was stopped; "
    "the processor time of all its pieces is added up."
)
DATA = (CHUNKS,)
REDUCED: dict[str, Any] = {"reduced": True}
BUILT = ROOT / "build" / "adversary"
"""Where complete runs are kept, so that a stopped one goes on."""

PENALTIES: dict[str, Any] = {
    "penalties": (0, 0.001, 0.003, 0.01, 0.015, 0.02, 0.025, 0.1),
    "around": (0.015, 0.02, 0.025),
    "given": (0, 0.003, 0.01, 0.1),
    "rate": 0.005,
}
SMALL: dict[str, Any] = {
    "penalties": (0, 0.1),
    "around": (),
    "given": (),
    "seeds": 1,
    "epochs": 1,
    "limit": 60,
    "train_limit": 200,
    "instances": 0,
    "plots": False,
}


def run(reduced: bool = False, out: Path | None = None) -> list[Row]:
    """The sweep of Yang, Is Attention Points Out the Only Path?, and frozen maps."""
    return in_folder(chunker, "chunker", reduced, out)


def chunker(place: Path, reduced: bool) -> list[Row]:
    files = {part: str(file) for part, file in unzipped(path(CHUNKS), place / "conll2000").items()}
    small = {"epochs": 1, "limit": 300, "added": 500} if reduced else {}
    with counted(place, "train"):
        headscope.train("tagger", **files, out=place / "base", plots=False, **small)
    with counted(place, "adversary"):
        result = asked(place, files, PENALTIES | (SMALL if reduced else {}))
    return chunker_rows(result, seconds_of(place, "adversary"))


def in_folder(
    measure: Callable[[Path, bool], list[Row]], name: str, reduced: bool, out: Path | None
) -> list[Row]:
    """What a folder below `out` gives; a run that has finished is read, another goes on."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = (out or (Path(folder) if reduced else BUILT)) / name
        place.mkdir(parents=True, exist_ok=True)
        rows = measure(place, reduced)
    return [told(row["name"], row["value"], row["unit"]) for row in rows] if reduced else rows


def asked(place: Path, files: dict[str, str], options: dict[str, Any], **more: Any) -> Result:
    """The run of a net that was trained there."""
    result: Result = headscope.adversary(
        place / "base" / "models" / "seed-0", files["test"], train=files["data"], out=run_of(place),
        **options, **more,
    )  # fmt: skip
    return result


def run_of(place: Path) -> Path:
    """Where the run of a folder lies, which has its name on pictures."""
    return place / place.name


if __name__ == "__main__":
    sys.exit(command(TITLE, __doc__, run))

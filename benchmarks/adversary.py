"""Another way to the same answers: Yang's chunker, Wiegreffe and Pinter 2019, and an encoder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import headscope
from benchmarks.data import ROOT, path
from benchmarks.nets import BILSTM, binary_sst
from benchmarks.nets import SST as TREES
from benchmarks.rows import Row, show, told
from benchmarks.tasks import CHUNKS, SST, unzipped
from benchmarks.timing import computing_with, counted, seconds_of
from benchmarks.ways import chunker_rows, encoder_rows, sst_rows
from headscope.results.result import Result

TITLE = "Adversaries"
SAYS = (
    "`headscope adversary` on one thread. Chunker: the one-layer tagger of `headscope train tagger` on "
    "CoNLL-2000, whose adversaries learn its tags in 4 epochs, away from its attention by KL(adversary || "
    "model) per query, in nats; published are single runs (Yang, Is Attention Points Out the Only Path?), "
    "whose KL is of another scale and whose maps were never frozen. SST: a BiLSTM of 64 states a direction "
    "under additive attention on the binary sentences of more than 5 words, without punctuation; its "
    "adversaries start from fresh weights and its word vectors, and keep the total variation of answers low; "
    "published is Wiegreffe and Pinter 2019. Encoder: the embedded model fine-tuned on 2,560 sentences of "
    "SST-2, adversaries from copies of it, a tenth of the sentences held out. JSD is of heads matched within "
    "a layer, unless it is said to be by index. The complete run is kept in build/adversary and goes on "
    "where it was stopped; the processor time of all its pieces is added up."
)
DATA = (*TREES.values(), *SST.values(), CHUNKS)
REDUCED: dict[str, Any] = {"reduced": True}
BUILT = ROOT / "build" / "adversary"
"""Where the complete run is kept, so that a stopped one goes on."""

CHUNKER: dict[str, Any] = {
    "penalties": (0, 0.001, 0.003, 0.01, 0.015, 0.02, 0.025, 0.1),
    "around": (0.015, 0.02, 0.025),
    "given": (0, 0.003, 0.01, 0.1),
    "rate": 0.005,
}
CLASSIFIER: dict[str, Any] = {
    "penalties": (0, 0.001, 0.004, 0.01),
    "given": (0.004, 0.01),
    "distance": "tvd",
    "optimiser": "amsgrad",
    "epochs": 6,
}
ENCODER: dict[str, Any] = {
    "penalties": (0, 0.01, 0.1),
    "seeds": 2,
    "epochs": 3,
    "train_limit": 2560,
    "controls": False,
    "frozen": False,
    "instances": 0,
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
PIECES = ("chunker", "sst", "encoder")


def run(reduced: bool = False, out: Path | None = None, only: str | None = None) -> list[Row]:
    """Everything, into run folders below `out` (those that have finished are read, others go on)."""
    rows: list[Row] = []
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (Path(folder) if reduced else BUILT)
        for piece in PIECES:
            if only in (None, piece) and not (reduced and piece == "encoder"):
                rows += {"chunker": chunker, "sst": classifier, "encoder": encoder}[piece](
                    place / piece, reduced
                )
    return rows if not reduced else [told(row["name"], row["value"], row["unit"]) for row in rows]


def chunker(place: Path, reduced: bool = False) -> list[Row]:
    """The sweep of Yang, Is Attention Points Out the Only Path?, and frozen maps."""
    place.mkdir(parents=True, exist_ok=True)
    files = {part: str(file) for part, file in unzipped(path(CHUNKS), place / "conll2000").items()}
    small = {"epochs": 1, "limit": 300, "added": 500} if reduced else {}
    with counted(place, "train"):
        headscope.train("tagger", **files, out=place / "base", plots=False, **small)
    with counted(place, "adversary"):
        result = asked(place, files, CHUNKER | (SMALL if reduced else {}))
    return chunker_rows(result, seconds_of(place, "adversary"))


def classifier(place: Path, reduced: bool = False) -> list[Row]:
    """Wiegreffe and Pinter 2019 on SST."""
    place.mkdir(parents=True, exist_ok=True)
    files = binary_sst(place, 200 if reduced else None, bare=True)
    course = BILSTM | {"epochs": 1 if reduced else 4, "dropout": 0.0}
    with counted(place, "train"):
        headscope.train("pooled", **files, out=place / "base", plots=False, **course)
    with counted(place, "adversary"):
        options = CLASSIFIER | (SMALL if reduced else {"beside": drawn_beside(place.parent / "chunker")})
        result = asked(place, files, options, dev=files["dev"])
    return sst_rows(result, seconds_of(place, "adversary"))


def encoder(place: Path, reduced: bool = False) -> list[Row]:
    """The embedded model, from copies."""
    place.mkdir(parents=True, exist_ok=True)
    files = {part: path(name) for part, name in SST.items()}
    with counted(place, "train"):
        headscope.finetune("default", files["data"], limit=2560, out=place / "base", plots=False)
    model, data = place / "base" / "model", files["test"]
    found = {}
    for name, more in (("adversary", {}), ("quick", {"quick": True})):
        with counted(place, name):
            found[name] = headscope.adversary(
                model, data, train=files["data"], out=place / name, plots=False, **ENCODER | more
            )  # fmt: skip
    return encoder_rows(found["adversary"], seconds_of(place, "adversary"), seconds_of(place, "quick"))


def asked(place: Path, files: dict[str, str], options: dict[str, Any], **more: Any) -> Result:
    """The run of a net that was trained there."""
    result: Result = headscope.adversary(
        place / "base" / "models" / "seed-0", files["test"], train=files["data"], out=run_of(place),
        **options, **more,
    )  # fmt: skip
    return result


def run_of(place: Path) -> Path:
    """Where the run of a piece lies, which has its name on pictures."""
    return place / place.name


def drawn_beside(place: Path) -> tuple[Path, ...]:
    """The run of another piece, if it has been made."""
    run = run_of(place)
    return (run,) if (run / "tables").exists() else ()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="folder of the runs, to go on with stopped ones")
    parser.add_argument("--only", choices=PIECES)
    parser.add_argument("--reduced", action="store_true")
    given = parser.parse_args()
    rows = show(TITLE, run(given.reduced, given.out, given.only))
    return 0 if all(row["passed"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""A small transformer for translation, and what its heads do: German to English."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import translated_heads, translation
from benchmarks.command import command
from benchmarks.rows import Row, told
from benchmarks.timing import computing_with, seconds_of
from benchmarks.translation import BUILT, SMALL, bleu, files, trained

TITLE = "Translation: a transformer"
SAYS = (
    "`headscope train translator` as it is, in batches of 64, on one thread, in time on the processor with "
    "reading and scoring. Multi30k, German to English, 29,000 lines, the epoch chosen on its 1,014 dev "
    "lines by the share of pieces foreseen; test2016, 1,000 lines, all in lower case, in words as the "
    "tokenizer parts them, written greedily. BLEU is ours; the transformer reads and writes subwords. Its "
    "heads are removed on test2016 and on the 461 lines of mscoco 2017 by BLEU, intervals by paired "
    "bootstrap, p by exchanging lines; published is Michel et al. 2019, on a far larger model. The complete "
    "run is kept in build/translation and goes on where it was stopped; the processor time of all its "
    "pieces is added up."
)
DATA = translation.DATA
REDUCED: dict[str, Any] = {"reduced": True}
HOPED, ENOUGH = 28, 20
"""BLEU of the transformer, and from where on its heads are worth a look."""


def run(reduced: bool = False, out: Path | None = None) -> list[Row]:
    """Train it, and look at its heads if it translates well enough; not in a short run."""
    small = {**SMALL, "layers": 1, "subwords": 300} if reduced else {}
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = (out or (Path(folder) if reduced else BUILT)) / "translator"
        result = trained(place, "translator", **small)
        score, seconds = bleu(result), seconds_of(place, "train")
        rows = [
            told(f"transformer (hoped for, with 3 + 3 layers of 4 heads: {HOPED})", score, "BLEU"),
            told("transformer, processor time", seconds / 60, "min"),
        ]
        if reduced:
            return rows
        if score < ENOUGH:
            return [*rows, told(f"its heads are not looked at below {ENOUGH} BLEU", "")]
        model = place / "run" / "models" / "seed-0"
        return rows + translated_heads.run(place, model, files())


if __name__ == "__main__":
    sys.exit(command(TITLE, __doc__, run))

"""The tagger trained here on CoNLL-2000: chunks found by one layer of attention, with five seeds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import headscope
from benchmarks.data import path
from benchmarks.nets import worded
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.tasks import CHUNKS, unzipped
from benchmarks.timing import computing_with

TITLE = "Chunker"
SAYS = (
    "`headscope train tagger` as it is, on one thread, in time on the processor: one layer, 4 heads, 128 "
    "states, GloVe vectors of 50 numbers that are not trained, and 50 numbers that are learned for the "
    "characters of words. CoNLL-2000, a tenth of its training data held out to choose the epoch; F1 of "
    "chunks on its 2,012 test sentences. The published model has vectors of 300 numbers, and its epoch was "
    "chosen on the test data."
)
DATA = (CHUNKS,)
REDUCED: dict[str, Any] = {"seeds": 1, "limit": 300, "epochs": 4}
PUBLISHED = 90
LEAST, SECONDS = 89, 180


def run(seeds: int = 5, limit: int | None = None, epochs: int | None = None) -> list[Row]:
    """With and without characters; with a limit, on so many sentences, and without judging them."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        files = unzipped(path(CHUNKS), Path(folder) / "conll2000")
        asked: dict[str, Any] = {**files, "limit": limit, "epochs": epochs}
        rows = of_tagger("F1 of chunks", asked, seeds, limit is None)
        blind = headscope.train("tagger", **asked, characters=0).result.table("seeds").set_index("data")
        rows.append(told("the same without characters, 1 seed", 100 * blind.loc["test", "mean"], "%"))
    return rows


def of_tagger(name: str, asked: dict[str, Any], seeds: int, judged: bool) -> list[Row]:
    """Mean score over seeds, beside the published one, and the time of one training."""
    began = process_time()
    result = headscope.train("tagger", **asked, seeds=seeds).result
    seconds = (process_time() - began) / seeds
    row = result.table("seeds").set_index("data").loc["test"]
    label, time = f"{name}, {worded(seeds)}", "processor time of one training with its scoring"
    if not judged:
        return [told(label, 100 * row["mean"], "%"), told(time, seconds, "s")]
    return [
        at_least(label, 100 * row["mean"], "%", LEAST),
        told("over seeds", f"{100 * row['lowest']:.1f} to {100 * row['highest']:.1f} %"),
        told("published, 1 seed", PUBLISHED, "%"),
        at_most(time, seconds, "s", SECONDS),
    ]

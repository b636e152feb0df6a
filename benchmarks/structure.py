"""How long structure takes beside a plain forward pass."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from statistics import median

import headscope
from benchmarks.corpus import Ready
from benchmarks.data import path
from benchmarks.passes import forward
from benchmarks.rows import Row, at_most, told
from benchmarks.syntax import BATCH, DATA, DEV, PIECES, REDUCED
from benchmarks.timing import clock_for, computing_with, interleaved, ratio, spread, worded
from headscope.analyses.analysis import Setting
from headscope.analyses.census import Census
from headscope.analyses.closeness import Closeness
from headscope.engine.shards import Shard
from headscope.engine.work import Done, Plan, run_shard
from headscope.models import Model
from headscope.text import Document, Segment, Sentences, read

__all__ = ["DATA", "REDUCED", "SAYS", "TITLE", "run"]

TITLE = "Structure"
SAYS = (
    "`headscope structure` on the development part of the English Web Treebank, three targets of five trees "
    "in one pass, beside a plain SDPA pass over the same batches, without tokenising, statistics and twins; "
    "drawing the false trees is in it."
)


def run(sentences: int | None = None, repeats: int = 5, threads: int = 2, slack: float = 1.0) -> list[Row]:
    """The comparison over EWT dev, or over so many of its sentences; slack widens the limit."""
    with computing_with(threads):
        corpus, model, clock = read(path(DEV)), headscope.load("default"), clock_for(threads)
        analysis = Closeness(Census.of(corpus, "ud", 0))
        ready = list(islice(Plan(Setting(model), [], PIECES, BATCH, Sentences()).segments(corpus), sentences))
        jobs = {
            "forward": lambda: forward(model, ready, BATCH),
            "structure": lambda: measured(model, analysis, ready),
        }
        times = interleaved(jobs, repeats, clock)
        rows = [
            told(f"{name}, per sentence (spread {spread(taken)})", 1000 * median(taken) / len(ready), "ms")
            for name, taken in times.items()
        ]
        cost = ratio(times["structure"], times["forward"])
        return [
            told(f"{len(ready):,} sentences of EWT dev, batches of {BATCH}, {worded(threads)}", corpus.name),
            *rows,
            at_most("structure / plain forward", cost, "x", 1.5, 1.5 * slack),
        ]


def measured(model: Model, analysis: Closeness, ready: Sequence[Segment]) -> Done:
    """A worker's part of the question over sentences that are cut already."""
    plan = Plan(Setting(model), [analysis], PIECES, BATCH, Ready(tuple(ready)))
    return run_shard(plan, Shard(0, [Document.from_text("all", "all")]))

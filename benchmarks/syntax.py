"""How long syntax takes beside a plain forward pass, and its counting beside the published one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from statistics import median
from typing import Any

import numpy as np
import torch

import headscope
from benchmarks.corpus import Ready
from benchmarks.data import path
from benchmarks.passes import forward
from benchmarks.published_syntax import Example, evaluate_all
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import (
    Clock,
    clock_for,
    computing_with,
    interleaved,
    ratio,
    spread,
    timed,
    worded,
)
from headscope.analyses.analysis import Setting
from headscope.analyses.labels import counted
from headscope.analyses.trees import tree_of
from headscope.attention import Heard
from headscope.attention.listen import Need
from headscope.engine.shards import Shard
from headscope.engine.work import Done, Plan, run_shard
from headscope.measures.words import word_maps
from headscope.models import Model, Sides, sides_of
from headscope.questions.syntax.analysis import Syntax, SyntaxWork
from headscope.questions.syntax.relations import scores, with_all
from headscope.results.vocabulary import DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT
from headscope.text import Document, Segment, Sentences, batches, read
from headscope.text.alignment import number_all

TITLE = "Syntax"
SAYS = (
    "`headscope syntax` on the development part of the English Web Treebank beside a plain SDPA "
    "pass over the same batches, without tokenising, statistics and twins; and its counting beside the "
    "published one, both from the same maps over words."
)
DEV = "01_ud_english_ewt/en_ewt-ud-dev.conllu"
DATA = (DEV,)
REDUCED: dict[str, Any] = {"sentences": 150, "repeats": 3, "threads": 1, "slack": 1.5}
BATCH, PIECES = 128, 256


def run(sentences: int | None = None, repeats: int = 5, threads: int = 2, slack: float = 1.0) -> list[Row]:
    """All comparisons over EWT dev, or over so many of its sentences; slack widens the limits."""
    with computing_with(threads):
        corpus, model, clock = read(path(DEV)), headscope.load("default"), clock_for(threads)
        labels = {label for document in corpus for label in tree_labels(document) if counted(label)}
        analysis = Syntax({label: label for label in labels})
        plan = Plan(Setting(model), [analysis], PIECES, BATCH, Sentences())
        ready = list(islice(plan.segments(corpus), sentences))
        read_of = f"{len(ready):,} sentences of EWT dev, batches of {BATCH}, {worded(threads)}"
        return [
            told(read_of, corpus.name),
            *beside_forward(model, analysis, ready, repeats, slack, clock),
            *beside_published(model, analysis, ready, repeats, clock, judged=sentences is None),
        ]


def tree_labels(document: Document) -> tuple[str, ...]:
    """The relations of a document's words."""
    return () if document.dependencies is None else document.dependencies.relations


def beside_forward(
    model: Model, analysis: Syntax, ready: Sequence[Segment], repeats: int, slack: float, clock: Clock
) -> list[Row]:
    """Everything but tokenising and the statistics, against the plain pass over the same batches."""
    jobs: dict[str, Callable[[], object]] = {
        "forward": lambda: forward(model, ready, BATCH),
        "syntax": lambda: whole(model, analysis, ready),
    }
    times = interleaved(jobs, repeats, clock)
    taken = ratio(times["syntax"], times["forward"])
    return [
        *(told(f"{name} (spread {spread(one)})", median(one), "s") for name, one in times.items()),
        at_most("syntax / plain forward", taken, "x", 1.5, 1.5 * slack),
    ]


def whole(model: Model, analysis: Syntax, ready: Sequence[Segment]) -> Done:
    """A worker's part of syntax over sentences that are encoded already."""
    plan = Plan(Setting(model), [analysis], PIECES, BATCH, Ready(tuple(ready)))
    return run_shard(plan, Shard(0, [Document.from_text("all", "all")]))


def beside_published(
    model: Model, analysis: Syntax, ready: Sequence[Segment], repeats: int, clock: Clock, judged: bool
) -> list[Row]:
    """Counting alone, both from the same maps over words that lie in memory.

    Over few sentences ours takes hundredths of a second, too little to be judged by.
    """
    heard = [
        over_words(model, list(batch.segments)) for batch in batches(iter(ready), model.tokenizer, BATCH)
    ]

    def ours(work: SyntaxWork) -> None:
        for sides, layers in heard:
            work.begin(sides)
            for layer in layers:
                work.hear(layer)
            work.end([segment.document for segment in sides.segments])

    # Empty sums are made once for a shard, whatever is counted into them: that is not timed.
    work, again = (analysis.work(Setting(model)) for _ in range(2))
    ours(work)
    own = min(timed(lambda: ours(again), clock) for _ in range(max(3, repeats)))
    examples = [example(sides, layers, row) for sides, layers in heard for row in range(len(sides.segments))]
    kept = [one.rounded() for one in examples]
    loop = timed(lambda: evaluate_all(kept), clock)
    gap = largest_gap(analysis, work, model, evaluate_all(examples))
    faster = "counting, times faster than published"
    return [
        told("published counting, two directions", loop, "s"),
        told("our counting, three readings and special tokens", own, "s"),
        at_least(faster, loop / own, "x", 50) if judged else told(faster, loop / own, "x"),
        at_most("largest difference from published in float32, 100 words or more", gap, "points", 0.1),
    ]


class _Keeper:
    """Keeps what it hears."""

    needs: Need = "map"

    def __init__(self) -> None:
        self.layers: list[Heard] = []

    def hear(self, heard: Heard) -> None:
        self.layers.append(heard)


def over_words(model: Model, segments: list[Segment]) -> tuple[Sides, list[Heard]]:
    """A batch as if every word were one piece, and what is heard of it: maps over words."""
    (batch,) = batches(iter(segments), model.tokenizer, BATCH)
    sides, keeper = sides_of(model, batch), _Keeper()
    with torch.no_grad(), model.attached([keeper]) as module:
        module(**sides.inputs)
    numbers = [number_all(segment.word) for segment in batch.segments]
    padded = np.full(batch.inputs["input_ids"].shape, -1)
    for row, one in zip(padded, numbers, strict=True):
        row[: len(one)] = one
    size = int(padded.max()) + 1
    layers = [
        replace(heard, weights=torch.from_numpy(word_maps(heard.weights, padded, size)[..., :size].copy()))
        for heard in keeper.layers
    ]
    return replace(sides, segments=[_of_words(segment) for segment in batch.segments]), layers


def _of_words(segment: Segment) -> Segment:
    """A segment with a piece for each word and special token."""
    keep = np.append(True, (np.diff(segment.word) != 0) | (segment.word[1:] < 0))
    return replace(segment, pieces=segment.pieces[keep], word=segment.word[keep])


def example(sides: Sides, layers: Sequence[Heard], row: int) -> Example:
    """One sentence of a batch as the published code keeps it, but in float32."""
    segment = sides.segments[row]
    tree, size = tree_of(segment), len(segment)
    maps = np.stack([heard.weights[row, :, :size, :size].numpy() for heard in layers])
    return Example(segment.words, (tree.heads + 1).tolist(), tree.relations, maps)


def largest_gap(
    analysis: Syntax, work: SyntaxWork, model: Model, theirs: dict[tuple[int, int, bool], dict[str, float]]
) -> float:
    """How far our percentages are from theirs, of all heads in both directions."""
    found = scores(with_all(analysis.arrays(work.tallies, Setting(model))))
    count = found["count"].sel(reading=DEPENDENT_TO_HEAD)
    frequent = [str(name) for name in found["relation"].values[1:] if count.sel(relation=name) >= 100]
    accuracy = 100 * found["accuracy"].sel(relation=frequent)
    heads = list(zip(found["layer"].values, found["index"].values, strict=True))
    gaps = [
        np.abs(
            accuracy.sel(reading=reading).values
            - [[theirs[layer, index, transposed][name] for name in frequent] for layer, index in heads]
        ).max()
        for reading, transposed in ((DEPENDENT_TO_HEAD, False), (HEAD_FROM_DEPENDENT, True))
    ]
    return float(max(gaps))

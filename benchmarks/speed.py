"""How long a survey takes beside a plain forward pass, and beside the published algorithm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

import headscope
from benchmarks import corpus, published
from benchmarks.corpus import Ready, segments, source
from benchmarks.many_heads import end_to_end, many_heads
from benchmarks.passes import forward
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import Clock, clock_for, computing_with, interleaved, ratio, spread, timed, worded
from headscope.analyses.analysis import Analysis, Setting
from headscope.engine.shards import Shard
from headscope.engine.work import Plan, run_shard
from headscope.measures import compiled
from headscope.models import Model
from headscope.questions.survey.distances import Distances
from headscope.questions.survey.surface import Surface
from headscope.text import Document, Segment

TITLE = "Speed"
SAYS = (
    "A survey beside a plain SDPA pass over the same batches, both without tokenising and loading; "
    "medians of interleaved turns. The published algorithm was written anew from its description and timed "
    "with its own eager pass on a few segments; it grows linearly with their number. Then a whole survey of "
    "the embedded model, from loading to the run folder, beside that pass, with what one text takes "
    "told by itself, which one thread computes; and random models with many heads."
)
DATA = corpus.DATA
REDUCED: dict[str, Any] = {
    "number": 32, "pieces": 96, "repeats": 3, "published_segments": 1, "threads": 1, "slack": 1.5,
    "whole": 32, "many": (1, 64, 1),
}  # fmt: skip
BATCH = 16


def run(
    number: int = 128,
    pieces: int = 128,
    repeats: int = 9,
    published_segments: int = 5,
    threads: int = 2,
    slack: float = 1.0,
    whole: int = 200,
    many: tuple[int, int, int] = (4, 512, 3),
) -> list[Row]:
    """All comparisons over `number` segments, each repeated; slack widens the limits.

    whole: segments from end to end. many: segments, pieces and repeats where there are many heads.
    """
    with computing_with(threads):
        model = headscope.load("default")
        ready = segments(model, number, pieces)
        text = f"text: {len(ready)} segments of about {pieces} pieces, batches of {BATCH}, {worded(threads)}"
        return [
            told(text, source()),
            *beside_forward(model, ready, repeats, slack, clock_for(threads)),
            *beside_published(model, ready[:published_segments], ready, clock_for(threads)),
            *end_to_end(whole, pieces, min(repeats, 3), clock_for(threads)),
            *many_heads(*many, slack, clock_for(threads)),
        ]


def beside_forward(
    model: Model, ready: Sequence[Segment], repeats: int, slack: float, clock: Clock
) -> list[Row]:
    """Survey against the plain SDPA pass over the same batches; cutting the text is in neither."""
    jobs: dict[str, Callable[[], object]] = {
        "forward": lambda: forward(model, ready, BATCH),
        "surface": lambda: survey(model, ready, [Surface()]),
        "distances": lambda: survey(model, ready, [Surface(), Distances()]),
    }
    times = interleaved(jobs, repeats, clock)
    rows = [told(f"{name}, per segment (spread {spread(taken)})", 1000 * median(taken) / len(ready), "ms")
            for name, taken in times.items()]  # fmt: skip
    surface, distances = (ratio(times[name], times["forward"]) for name in ("surface", "distances"))
    return [
        *rows,
        at_most("survey without distances and gradients / plain forward", surface, "x", 1.15, 1.5 * slack),
        at_most("survey with distances / plain forward", distances, "x", 2.5, 3.5 * slack),
    ]


def beside_published(
    model: Model, few: Sequence[Segment], many: Sequence[Segment], clock: Clock
) -> list[Row]:
    """Ours over many segments against the published loop over a few, both per segment."""

    def best(job: Callable[[], object], turns: int) -> float:
        return min(timed(job, clock) for _ in range(turns))

    theirs: list[Published] = []
    loop = best(lambda: theirs.append(Published.of(model, few)), 1) / len(few)
    ours = best(lambda: survey(model, many, [Surface(), Distances()]), 2) / len(many)
    maps = theirs[0].maps
    float32 = best(lambda: published.distances_float32(maps), 1) / len(few)
    flat = [one.astype(np.float32).reshape(-1, *one.shape[2:]) for one in maps]
    alone = best(lambda: [compiled.divergences(one) for one in flat], 3) / len(few)
    return [
        told(f"published algorithm per segment, from {len(few)}; its time grows linearly", loop, "s"),
        at_least("survey with distances, times faster than published", loop / ours, "x", 50),
        at_least("distances alone, times faster than float32 numpy", float32 / alone, "x", 10),
        *agreement(model, few, theirs[0]),
    ]


@dataclass(frozen=True)
class Published:
    """What the published algorithm finds in some segments."""

    maps: list[np.ndarray]
    shares: dict[str, np.ndarray]
    entropies: np.ndarray
    distances: list[np.ndarray]

    @classmethod
    def of(cls, model: Model, few: Sequence[Segment]) -> Published:
        """Run all of it."""
        pieces = [model.tokenizer.convert_ids_to_tokens(segment.pieces.tolist()) for segment in few]
        maps = published.extract(model, few)
        shares = published.average_attention(maps, pieces)
        return cls(maps, shares, published.entropies(maps), published.distances(maps))


def agreement(model: Model, few: Sequence[Segment], theirs: Published) -> list[Row]:
    """How far our numbers are from the published ones, which carry the rounding of float16."""
    tallies = survey(model, few, [Surface(), Distances()])
    ours = Surface().arrays(tallies["surface"], Setting(model))
    share = max(
        float(np.abs(ours["share"].sel(target=key).values - theirs.shares[key].ravel()).max())
        for key in ("self", "[SEP]", "[CLS]", ". or ,")
    )
    entropy = float(np.abs(ours["entropy"].values - theirs.entropies.ravel()).max())
    mean = np.mean([one / len(segment) for one, segment in zip(theirs.distances, few, strict=True)], axis=0)
    divergence = float(np.abs(tallies["distances"]["encoder"].result() - mean).max())
    return [
        at_most("largest difference from published: shares", share, "", 0.001),
        at_most("largest difference from published: entropy", entropy, "nats", 0.02),
        at_most("largest difference from published: divergence", divergence, "nats", 0.01),
    ]


def survey(model: Model, ready: Sequence[Segment], analyses: Sequence[Analysis]) -> dict[str, Any]:
    """A worker's part of a survey over segments that are cut already."""
    plan = Plan(Setting(model), analyses, 128, BATCH, Ready(tuple(ready)))
    return run_shard(plan, Shard(0, [Document.from_text("all", "all")])).tallies

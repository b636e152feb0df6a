"""How long a survey takes beside a plain forward pass, and beside the published algorithm."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import torch

import headscope
from benchmarks import published
from benchmarks.corpus import Ready, segments, source
from benchmarks.rows import Row, at_least, at_most, show, told
from headscope.analyses.analysis import Analysis, Setting
from headscope.engine.shards import Shard
from headscope.engine.work import Plan, run_shard
from headscope.measures import compiled
from headscope.models import Model
from headscope.questions.survey.distances import Distances
from headscope.questions.survey.surface import Surface
from headscope.text import Document, Segment, batches

THREADS, BATCH = 2, 16


def run(number: int = 128, repeats: int = 9, published_segments: int = 5, slack: float = 1.0) -> list[Row]:
    """All comparisons of this file over `number` segments, each repeated; slack widens the limits."""
    torch.set_num_threads(THREADS)
    model = headscope.load("default")
    ready = segments(model, number)
    rows = [
        told(
            f"text: {len(ready)} segments of about 128 pieces, batches of {BATCH}, {THREADS} threads",
            source(),
        )
    ]
    rows += beside_forward(model, ready, repeats, slack)
    rows += beside_published(model, ready[:published_segments], ready)
    return show("Speed", rows)


def beside_forward(model: Model, ready: Sequence[Segment], repeats: int, slack: float) -> list[Row]:
    """Survey against the plain SDPA pass over the same batches; cutting the text is in neither."""
    jobs: dict[str, Callable[[], object]] = {
        "forward": lambda: forward(model, ready),
        "surface": lambda: survey(model, ready, [Surface()]),
        "distances": lambda: survey(model, ready, [Surface(), Distances()]),
    }
    times = interleaved(jobs, repeats)
    rows = [told(f"{name}, per segment (spread {spread(taken)})", 1000 * median(taken) / len(ready), "ms")
            for name, taken in times.items()]  # fmt: skip
    surface, distances = (ratio(times[name], times["forward"]) for name in ("surface", "distances"))
    return [
        *rows,
        at_most("survey without distances and gradients / plain forward", surface, "x", 1.15, 1.5 * slack),
        at_most("survey with distances / plain forward", distances, "x", 2.5, 3.5 * slack),
    ]


def beside_published(model: Model, few: Sequence[Segment], many: Sequence[Segment]) -> list[Row]:
    """Ours over many segments against the published loop over a few, both per segment."""
    theirs: list[Published] = []
    loop = timed(lambda: theirs.append(Published.of(model, few))) / len(few)
    ours = min(timed(lambda: survey(model, many, [Surface(), Distances()])) for _ in range(2)) / len(many)
    maps = theirs[0].maps
    float32 = timed(lambda: published.distances_float32(maps)) / len(few)
    flat = [one.astype(np.float32).reshape(-1, *one.shape[2:]) for one in maps]
    alone = min(timed(lambda: [compiled.divergences(one) for one in flat]) for _ in range(3)) / len(few)
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


def forward(model: Model, ready: Sequence[Segment]) -> None:
    """The plain pass through the model's own kernel."""
    with torch.no_grad():
        for batch in batches(iter(ready), model.tokenizer, BATCH):
            model.backbone(**batch.inputs)


def survey(model: Model, ready: Sequence[Segment], analyses: Sequence[Analysis]) -> dict[str, Any]:
    """A worker's part of a survey over segments that are cut already."""
    plan = Plan(Setting(model), analyses, 128, BATCH, Ready(tuple(ready)))
    return run_shard(plan, Shard(0, [Document.from_text("all", "all")])).tallies


def interleaved(jobs: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Times of each job, the jobs taking turns, after one turn that warms them up."""
    for job in jobs.values():
        job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            times[name].append(timed(job))
    return times


def timed(job: Callable[[], object]) -> float:
    """Seconds that a job takes."""
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


def ratio(ours: Sequence[float], plain: Sequence[float]) -> float:
    """Median over turns of the ratio within a turn, so that a slow stretch of the machine hits both."""
    return median(one / other for one, other in zip(ours, plain, strict=True))


def spread(times: Sequence[float]) -> str:
    """Smallest to largest, relative to the median.

    >>> spread([0.9, 1.0, 1.2])
    '-10 % to +20 %'
    """
    middle = median(times)
    return f"{100 * (min(times) / middle - 1):+.0f} % to {100 * (max(times) / middle - 1):+.0f} %"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--published", type=int, default=5, help="segments for the published algorithm")
    chosen = parser.parse_args()
    run(chosen.segments, chosen.repeats, chosen.published)

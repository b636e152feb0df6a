"""What a cluster costs: two workers beside half of one worker's time, and memory for texts of any size."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import dask
import psutil
import torch

import headscope
from benchmarks import corpus
from benchmarks.corpus import documents, source
from benchmarks.one_layer import save_model, write_text
from benchmarks.peak import THIS, alone, largest_child, peaks_above_now
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import computing_with
from headscope.analyses.analysis import Setting
from headscope.engine.dask import cluster
from headscope.engine.local import Local
from headscope.engine.running import Runner, running_on
from headscope.engine.shards import Shard, shards
from headscope.engine.work import Plan
from headscope.models import Model
from headscope.questions.survey.surface import Surface
from headscope.text import Spans

TITLE = "Cluster"
SAYS = (
    "Two worker processes with one thread each beside one process with one thread, over the same shards; all "
    "have loaded the model, and the best of several turns counts. Memory: a survey of generated text with a "
    "random model of one layer, into a run folder, each size in processes of its own."
)
DATA = corpus.DATA
REDUCED: dict[str, Any] = {
    "segments": 64, "characters": 4_000, "repeats": 1, "small": 1, "large": 8, "slack": 3.0, "idle": False,
}  # fmt: skip
MIB = 2**20
MEASURED = {
    "local runner": "the loaded model",
    "driver of a Dask cluster": "the loaded model",
    "worker of a Dask cluster": "an idle one without a model",
}
"""Whose memory, and what is not counted of it."""


def run(
    segments: int = 600,
    characters: int = 12_000,
    repeats: int = 3,
    small: int = 10,
    large: int = 100,
    slack: float = 1.0,
    idle: bool = True,
) -> list[Row]:
    """Time two workers over so many segments, and compare memory for two sizes of text in megabytes.

    characters: what fills a shard of the segments. slack: widens the limits, where few segments and small
    texts do not yet show the steady state. idle: the machine has nothing else to do, so that two workers can
    be held to take half of the time of one.
    """
    rows = two_workers(segments, characters, repeats, slack, idle)
    with TemporaryDirectory() as folder:
        place = Path(folder)
        save_model(place / "model")
        few_and_many = [
            [*alone(peaks_of, place, size, False), *alone(peaks_of, place, size, True)]
            for size in (small, large)
        ]
    for (who, above), few, many in zip(MEASURED.items(), *few_and_many, strict=True):
        growth = 100 * (many - few) / few
        rows += [
            told(f"{who}: peak above {above}, {small} MB of text", few / MIB, "MiB"),
            told(f"{who}: peak above {above}, {large} MB of text", many / MIB, "MiB"),
            at_most(f"{who}: growth from {small} to {large} MB", growth, "%", 10, 10 * slack),
        ]
    return rows


class Spent(NamedTuple):
    """Seconds until all was done, and of the processor: of this process, and of its children, most first."""

    wall: float
    own: float
    children: list[float]

    @property
    def processor(self) -> float:
        """Of all together."""
        return self.own + sum(self.children)


def two_workers(segments: int, characters: int, repeats: int, slack: float, idle: bool) -> list[Row]:
    """The same shards by one process and by two workers, which take turns; the best turn of each counts.

    Both sides have loaded the model. What is timed is all from the first shard to the last state: cutting,
    sending, running and receiving; of the cluster also telling the workers what to do. On a machine that is
    not idle, two workers wait longer than one; what they and the driver compute tells what a cluster costs,
    and how much each worker computes, that both have a share in it.
    """
    model = headscope.load("default")
    plan = Plan(Setting(model), [Surface()], 128, 16, Spans(pair=True))
    cut = list(shards(documents(model, segments), characters))
    with computing_with(1), cluster(workers=2) as two:
        for runner in (Local(), two):
            spend(runner, plan, cut[:4])
        turns = [(spend(Local(), plan, cut), spend(two, plan, cut)) for _ in range(repeats)]
    ones, boths = zip(*turns, strict=True)
    one, both = (min(side, key=lambda spent: spent.wall) for side in (ones, boths))
    above_half = 100 * (2 * both.wall / one.wall - 1)
    computed, by_two = (min(spent.processor for spent in side) for side in (ones, boths))
    more = 100 * (by_two / computed - 1)
    name = "two workers above half of one worker's time"
    return [
        told(f"text: {len(cut)} shards of about {len_of(plan, cut)} segments, one thread each", source()),
        told("one worker", one.wall, "s"),
        told("two workers", both.wall, "s"),
        at_most(name, above_half, "%", 15, 15 * slack) if idle else told(name, above_half, "%"),
        at_most("two workers and their driver: processor time above one worker's", more, "%", 15, 15 * slack),
        at_least("the less busy worker's share of the work", 100 * lesser_share(both.children), "%", 10),
    ]


def lesser_share(children: list[float]) -> float:
    """What the second busiest of some processes did of what the two busiest did.

    >>> lesser_share([6.0, 2.0, 0.1])
    0.25
    """
    first, second = children[:2]
    return second / (first + second)


def spend(runner: Runner, plan: Plan, cut: list[Shard]) -> Spent:
    """What it takes to run shards; what they give is thrown away."""
    before, started = processor_seconds(), perf_counter()
    assert sum(1 for _ in runner.states(plan, cut)) == len(cut)
    wall, after = perf_counter() - started, processor_seconds()
    own, *children = (taken - before.get(process, 0.0) for process, taken in after.items())
    return Spent(wall, own, sorted(children, reverse=True))


def processor_seconds() -> dict[int, float]:
    """Of this process, which comes first, and of those that it has started."""
    this = psutil.Process()
    found = {}
    for process in (this, *this.children()):
        with suppress(psutil.NoSuchProcess):  # it may have ended since it was listed
            taken = process.cpu_times()
            found[process.pid] = taken.user + taken.system
    return found


def len_of(plan: Plan, cut: list[Shard]) -> int:
    """Segments of a shard in the middle."""
    return sum(1 for document in cut[len(cut) // 2].documents for _ in plan.cut(document))


def peaks_of(place: Path, megabytes: int, on_cluster: bool) -> list[int]:
    """Bytes that a survey takes at its highest in this process, and in a worker if there is one."""
    torch.set_num_threads(1)
    model = headscope.load(str(place / "model"))
    with ExitStack() as stack:
        if on_cluster:
            # An idle worker has all modules already: only what it takes for its work is counted.
            stack.enter_context(dask.config.set({"distributed.worker.preload": [__name__]}))
            stack.enter_context(running_on(stack.enter_context(cluster(workers=1))))
        text = write_text(place / f"{megabytes}.txt", megabytes)
        processes = [THIS, largest_child()] if on_cluster else [THIS]
        return peaks_above_now(partial(survey, model, text, place), processes)


def survey(model: Model, text: Path, place: Path) -> None:
    """A survey into a run folder that is gone afterwards."""
    with TemporaryDirectory(dir=place) as folder:
        out = Path(folder) / "run"
        headscope.survey(model, text, out=out, gradients=False, distances=False, plots=False)

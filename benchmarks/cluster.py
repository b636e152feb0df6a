"""What a cluster costs: two workers beside half of one worker's time, and memory for texts of any size."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

import headscope
from benchmarks.corpus import documents, source
from benchmarks.one_layer import save_model, write_text
from benchmarks.peak import THIS, alone, largest_child, peaks_above_now
from benchmarks.rows import Row, at_most, show, told
from benchmarks.speed import timed
from headscope.analyses.analysis import Setting
from headscope.engine.dask import cluster
from headscope.engine.local import Local
from headscope.engine.running import Runner, running_on
from headscope.engine.shards import Shard, shards
from headscope.engine.work import Plan
from headscope.models import Model
from headscope.questions.survey.surface import Surface
from headscope.text import Spans

MIB = 2**20
CHARACTERS = 12_000
MEASURED = {
    "local runner": "the loaded model",
    "driver of a Dask cluster": "the loaded model",
    "worker of a Dask cluster": "an idle one without a model",
}
"""Whose memory, and what is not counted of it."""
REDUCED = (110, 1, 2, 20, 3.0)


def run(
    segments: int = 600, repeats: int = 3, small: int = 10, large: int = 100, slack: float = 1.0
) -> list[Row]:
    """Time two workers over so many segments, and compare memory for two sizes of text in megabytes.

    slack: widens the limits, where few segments and small texts do not yet show the steady state.
    """
    rows = two_workers(segments, repeats, slack)
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
    return show("Cluster", rows)


def two_workers(segments: int, repeats: int, slack: float) -> list[Row]:
    """The same shards by one process and by two workers, which take turns; the best turn of each counts.

    Both sides have loaded the model. What is timed is all from the first shard to the last state: cutting,
    sending, running and receiving; of the cluster also telling the workers what to do.
    """
    model = headscope.load("default")
    plan = Plan(Setting(model), [Surface()], 128, 16, Spans(pair=True))
    cut = list(shards(documents(model, segments), CHARACTERS))
    with one_thread(), cluster(workers=2) as two:
        for runner in (Local(), two):
            spend(runner, plan, cut[:6])
        times = [(timed_on(Local(), plan, cut), timed_on(two, plan, cut)) for _ in range(repeats)]
    one, both = (min(side) for side in zip(*times, strict=True))
    return [
        told(f"text: {len(cut)} shards of about {len_of(plan, cut)} segments, one thread each", source()),
        told("one worker", one, "s"),
        told("two workers", both, "s"),
        at_most(
            "two workers above half of one worker's time", 100 * (2 * both / one - 1), "%", 15, 15 * slack
        ),
    ]


@contextmanager
def one_thread() -> Iterator[None]:
    """As on a worker."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def len_of(plan: Plan, cut: list[Shard]) -> int:
    """Segments of a shard in the middle."""
    return sum(1 for document in cut[len(cut) // 2].documents for _ in plan.cut(document))


def spend(runner: Runner, plan: Plan, cut: list[Shard]) -> None:
    """Run shards, and throw away what they give."""
    assert sum(1 for _ in runner.states(plan, cut)) == len(cut)


def timed_on(runner: Runner, plan: Plan, cut: list[Shard]) -> float:
    """Seconds for all shards."""
    return timed(lambda: spend(runner, plan, cut))


def peaks_of(place: Path, megabytes: int, on_cluster: bool) -> list[int]:
    """Bytes that a survey takes at its highest in this process, and in a worker if there is one."""
    torch.set_num_threads(1)
    model = headscope.load(str(place / "model"))
    with ExitStack() as stack:
        if on_cluster:
            stack.enter_context(running_on(stack.enter_context(cluster(workers=1))))
        text = write_text(place / f"{megabytes}.txt", megabytes)
        processes = [THIS, largest_child()] if on_cluster else [THIS]
        return peaks_above_now(partial(survey, model, text, place), processes)


def survey(model: Model, text: Path, place: Path) -> None:
    """A survey into a run folder that is gone afterwards."""
    with TemporaryDirectory(dir=place) as folder:
        out = Path(folder) / "run"
        headscope.survey(model, text, out=out, gradients=False, distances=False, plots=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reduced", action="store_true", help="fewer segments, smaller texts")
    run(*REDUCED) if parser.parse_args().reduced else run()

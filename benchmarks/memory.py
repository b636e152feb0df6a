"""Whether memory grows with the corpus: peak above the loaded model for few and for many segments."""

from __future__ import annotations

import argparse

import torch

import headscope
from benchmarks.corpus import CutPlan, segments
from benchmarks.peak import alone, peak_above_now
from benchmarks.rows import Row, at_most, show, told
from headscope.analyses.analysis import Analysis, Setting
from headscope.analyses.distances import Distances
from headscope.analyses.surface import Surface
from headscope.engine.shards import Shard
from headscope.engine.work import run_shard

MIB = 2**20


def run(few: int = 200, many: int = 1000) -> list[Row]:
    """Compare two sizes, each in a process of its own."""
    small, large = (alone(peak_of_survey, number) for number in (few, many))
    return show(
        "Memory",
        [
            told(f"peak above the loaded model, {few} segments", small / MIB, "MiB"),
            told(f"peak above the loaded model, {many} segments", large / MIB, "MiB"),
            at_most("difference between the two", 100 * abs(large - small) / small, "%", 10),
        ],
    )


def peak_of_survey(number: int) -> int:
    """Bytes above the loaded model that a survey with distances takes at its highest."""
    torch.set_num_threads(2)
    model = headscope.load("default")
    analyses: list[Analysis] = [Surface(), Distances()]
    # Segments are cut before and counted as there already: what is measured is the survey, not the corpus.
    ready = tuple(segments(model, number))

    def survey(some: int) -> None:
        plan = CutPlan(Setting(model), analyses, 128, 16, True, None, ready[:some])
        run_shard(plan, Shard(0, []), lambda count, words: None)

    survey(2)  # compiles what is compiled at first use
    return peak_above_now(lambda: survey(number))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=200)
    parser.add_argument("--many", type=int, default=1000)
    chosen = parser.parse_args()
    run(chosen.few, chosen.many)

"""Whether memory grows with the corpus: peak above the loaded model for few and for many segments."""

from __future__ import annotations

import argparse

import torch

import headscope
from benchmarks.corpus import documents
from benchmarks.peak import alone, peak_above_now
from benchmarks.rows import Row, at_most, show, told
from headscope.analyses.analysis import Setting
from headscope.engine.running import run as run_plan
from headscope.engine.shards import shards
from headscope.engine.work import Plan
from headscope.questions.survey.distances import Distances
from headscope.questions.survey.surface import Surface
from headscope.text import Spans

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
    plan = Plan(Setting(model), [Surface(), Distances()], 128, 16, Spans(pair=True))

    def survey(some: int) -> None:
        done = run_plan(plan, shards(documents(model, some)), "survey")
        assert done.segments >= some, f"{done.segments} of {some} segments were heard"

    survey(2)  # compiles what is compiled at first use
    return peak_above_now(lambda: survey(number))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=200)
    parser.add_argument("--many", type=int, default=1000)
    chosen = parser.parse_args()
    run(chosen.few, chosen.many)

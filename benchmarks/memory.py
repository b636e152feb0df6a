"""Whether memory grows with the corpus: what each further segment adds once a survey is warm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

import torch

import headscope
from benchmarks import corpus
from benchmarks.corpus import paragraphs, source
from benchmarks.peak import alone, peak_from_now
from benchmarks.rows import Row, at_most, told
from headscope.analyses.analysis import Setting
from headscope.engine.running import run as run_plan
from headscope.engine.shards import CHARACTERS
from headscope.engine.work import Plan
from headscope.questions.survey.distances import Distances
from headscope.questions.survey.surface import Surface
from headscope.text import Spans

TITLE = "Memory"
SAYS = (
    "Peak resident memory of a survey with distances above the loaded model, in a process of its "
    "own: how much higher it is after many segments than after some, when all is warm. To keep the least of "
    "what is measured would take 22 KiB for each segment; to keep its maps, far more."
)
DATA = corpus.DATA
REDUCED = {"pieces": 16, "characters": 8_000}
"""Short segments, a minute of computing; shards are smaller too, so that as many segments fill one."""

KIB, MIB = 2**10, 2**20
PIECES = 128

# What it would cost to keep something of each segment, with the 72 heads of the embedded model: its surface
# measures, 78 x 36 numbers of 8 bytes, 22 KiB; its distances, 72 x 72 such numbers, 41 KiB; its maps, 72 x
# length x length numbers of 4 bytes, 72 KiB for 16 pieces and 4.5 MiB for 128. The limit is half of the
# least of these. It is not zero, since the C library holds freed memory in a measure that differs by 5 to
# 16 MiB from run to run: spread over 3,000 segments, 1.6 to 5.4 KiB for each were seen.
LIMIT = 11  # KiB


class Mark(NamedTuple):
    """How far a survey was, and the most memory in bytes that it had taken till then."""

    segments: int
    peak: int


def run(pieces: int = PIECES, characters: int = CHARACTERS, few: int = 1000, many: int = 4000) -> list[Row]:
    """Compare the peak after few and after many segments of one survey, in a process of its own.

    pieces: longest segment. characters: what fills a shard.
    """
    early, late = alone(marks_of_survey, pieces, characters, few, many)
    growth = (late.peak - early.peak) / (late.segments - early.segments)
    cut = f"cut at {pieces} pieces" + (f", not {PIECES}, to save time" if pieces < PIECES else "")
    return [
        told(f"text: paragraphs as the plain reader gives them, {cut}", source()),
        *(
            told(f"peak above the loaded model, after {mark.segments:,} segments", mark.peak / MIB, "MiB")
            for mark in (early, late)
        ),
        at_most("growth for each segment between the two", growth / KIB, "KiB", LIMIT),
    ]


def marks_of_survey(pieces: int, characters: int, few: int, many: int) -> tuple[Mark, Mark]:
    """A survey with distances: where it was after few segments, and at its end after many."""
    torch.set_num_threads(1)  # on a busy machine, two would mostly wait for each other
    plan = Plan(Setting(headscope.load("default")), [Surface(), Distances()], pieces, 16, Spans(pair=True))
    survey(plan, 1, 1, lambda _: None)  # compiles what is compiled at first use
    peak, marks = peak_from_now(), list[Mark]()
    survey(plan, characters, many, lambda heard: marks.append(Mark(heard, peak())))
    return next(mark for mark in marks if mark.segments >= few), Mark(marks[-1].segments, peak())


def survey(plan: Plan, characters: int, number: int, tell: Callable[[int], None]) -> None:
    """Shard after shard until so many segments were heard; how many so far is told after each batch."""
    heard = 0

    def progress(segments: int, words: int) -> None:
        nonlocal heard
        heard += segments
        tell(heard)

    documents = takewhile(lambda _: heard < number, paragraphs())
    run_plan(replace(plan, characters=characters), documents, "survey", progress=progress)

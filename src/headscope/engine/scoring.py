"""A model on a task: how its examples are run through the engine, part by part of a verb's work."""

from __future__ import annotations

from dataclasses import dataclass

import xarray as xr

from headscope.analyses.analysis import Analysis, Setting
from headscope.engine.planning import longest_segment
from headscope.engine.running import run
from headscope.engine.shards import OF_EXAMPLES
from headscope.engine.stores import ShardStore
from headscope.engine.work import Plan
from headscope.models import Model
from headscope.tasks.task import Task
from headscope.text import Corpus
from headscope.text.batches import Progress

PIECES = 128


def longest_example(model: Model, task: Task, asked: int | None) -> int:
    """The longest example in pieces: what was asked, or so many as fit."""
    return longest_segment(model, asked, PIECES, task.name == "pairs")


@dataclass(frozen=True)
class Scoring:
    """Everything that the parts of a verb's work have in common."""

    verb: str
    setting: Setting
    task: Task
    pieces: int
    batch_size: int
    store: ShardStore | None = None
    progress: Progress | None = None
    characters: int = OF_EXAMPLES

    def plan(self, *analyses: Analysis) -> Plan:
        """How examples are run."""
        return Plan(
            self.setting, analyses, self.pieces, self.batch_size, self.task.cutter, characters=self.characters
        )

    def run(self, part: str, corpus: Corpus, *analyses: Analysis) -> tuple[list[xr.Dataset], list[str]]:
        """The arrays of each analysis over a corpus, and what a reader must know; `part`: of the store."""
        plan = self.plan(*analyses)
        done = run(plan, corpus, f"{self.verb}/{part}", self.store, self.progress)
        notes = [
            f"{corpus.name}: {words:,} words are skipped: {reason}"
            for reason, words in sorted(done.skipped.items())
        ]
        return plan.arrays(done), notes

"""The targets of every task, taken from the segments whose states are gathered, in the same pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Listener
from headscope.blocks import number_of
from headscope.models import Sides
from headscope.probes.control import control_labels
from headscope.probes.edge_shelf import COLUMNS
from headscope.questions.layers.edge_tasks import TASKS, Target
from headscope.tallies import Records, Rows, Tally
from headscope.text import Segment, has_piece

SEEN, WORDS = "seen", "words"
BETWEEN = "\0"
"""Between the words of a segment, as they are kept."""


@dataclass(frozen=True)
class Labels:
    """The labels of a task that training has, most frequent first, and the share of each; spans: 1 or 2."""

    task: str
    names: tuple[str, ...]
    shares: tuple[float, ...]
    spans: int

    @property
    def counted(self) -> np.ndarray:
        """Which of them a score is over, (label,)."""
        return np.array([TASKS[self.task].counted(name) for name in self.names], bool)


@dataclass
class EdgeTargets:
    """The analysis: it only gathers; seed: of what is drawn."""

    labels: tuple[Labels, ...]
    seed: int
    name: str = field(default="targets", init=False)

    def work(self, setting: Setting) -> TargetsWork:
        return TargetsWork(self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Nothing: the targets stay in their shards."""
        return xr.Dataset()


class TargetsWork:
    """Keeps a row for each target (`COLUMNS`), how many items each segment had, and its words."""

    def __init__(self, asked: EdgeTargets) -> None:
        self._asked, self._behind = asked, 0
        self._places = {own.task: {name: n for n, name in enumerate(own.names)} for own in asked.labels}
        self._rows = {own.task: Rows((len(COLUMNS),)) for own in asked.labels}
        self._seen, self._words = Rows((len(asked.labels),)), Records()
        self.tallies: Tallies = {**self._rows, SEEN: self._seen, WORDS: self._words}

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self._segments = sides.segments

    def end(self, documents: Sequence[str]) -> None:
        for segment in self._segments:
            for own in self._asked.labels:
                rows = self._targets(segment, own)
                self._rows[own.task].update([segment.document] * len(rows), rows)
            assert segment.part is not None
            seen = [TASKS[own.task].count(segment.part) for own in self._asked.labels]
            self._seen.update([segment.document], np.array([seen], np.float64))
            self._words.add([BETWEEN.join(segment.words).encode("utf-8", "surrogatepass")])
            self._behind += 1

    def _targets(self, segment: Segment, own: Labels) -> np.ndarray:
        """(target, column), of those whose words all have pieces."""
        task = TASKS[own.task]
        assert segment.part is not None
        if not task.has(segment.part):
            return np.zeros((0, len(COLUMNS)))
        random = np.random.default_rng([self._asked.seed, number_of(segment.document), segment.index])
        known = has_piece(segment)
        found = [target for target in task.find(segment.part, random) if _is_known(target, known)]
        words = [segment.words[target.span[1] - 1] for target in found]
        control = control_labels(words, own.shares, self._asked.seed)
        places = self._places[own.task]
        rows = [
            (self._behind, *target.span, *(target.other or target.span), places.get(target.label, -1), label)
            for target, label in zip(found, control.tolist(), strict=True)
        ]
        return np.array(rows, np.float64).reshape(-1, len(COLUMNS))


def _is_known(target: Target, known: np.ndarray) -> bool:
    """Whether all words of a target have pieces."""
    return all(bool(known[slice(*span)].all()) for span in (target.span, target.other) if span is not None)

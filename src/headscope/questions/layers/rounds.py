"""Rounds of training for a model and its random twins: states into shards once for all tasks, then probes.

States are large and stay on disk only until the rounds over them are done. An outcome is small and is kept
until the run has finished, and so is every point of a training until its round has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from headscope.engine.effort import tell_past
from headscope.engine.gathering import Gathered, gather
from headscope.engine.stores import ShardStore
from headscope.engine.work import Done, Plan
from headscope.errors import InputError
from headscope.models.twin import random_twin
from headscope.probes.edge_shelf import CONTROL, TASK, EdgeShard, EdgeShelf
from headscope.probes.edge_training import Lesson, targets_of_code
from headscope.probes.edges import Shape
from headscope.questions.layers.cases import Cases
from headscope.questions.layers.outcomes import Outcome
from headscope.questions.layers.targets import BETWEEN, SEEN, WORDS, EdgeTargets, Labels
from headscope.results.shards import Part, ShardState
from headscope.tallies import Records, Rows
from headscope.tallies.hidden import HiddenTally
from headscope.text import Corpus
from headscope.text.batches import Progress
from headscope.text.treebanks import USES

BATCH = 256
"""Targets that a batch of training has, or a few more: segments are whole."""


@dataclass(frozen=True)
class View:
    """Tasks whose documents are cut in the same way: a plan for them, and the documents of each split."""

    name: str
    plan: Plan
    corpora: dict[str, Corpus]

    @property
    def labels(self) -> Sequence[Labels]:
        """Of each task."""
        (targets,) = (own for own in self.plan.analyses if isinstance(own, EdgeTargets))
        return targets.labels


def words_of_probe(targets: int, steps: int, code: bool) -> int:
    """What progress is told of while probes of a task learn from so many targets; code: and their code."""
    return steps * min(targets, BATCH) + (targets_of_code(targets, steps, BATCH) if code else 0)


@dataclass
class Held:
    """The shards of a split; of each task the items that its segments had, and the targets that are used."""

    shards: Gathered = field(init=False)
    seen: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)


@dataclass
class Rounds:
    """Everything that rounds have in common. shape: the probes of a task, by its labels. targets: how many
    of each task there are to train on."""

    views: Sequence[View]
    shape: Callable[[Labels], Shape]
    targets: Mapping[str, int]
    steps: int
    control: bool
    code: bool
    store: ShardStore
    progress: Progress | None = None

    def of_model(self, seeds: Sequence[int]) -> list[Outcome]:
        """One outcome per task and seed."""
        return [
            outcome
            for view in self.views
            for outcome in self._outcomes(view, f"layers/model-{view.name}", seeds, view.plan, first=True)
        ]

    def of_twin(self, twin: int) -> list[Outcome]:
        """One outcome per task, trained with the seed that drew the twin."""
        setting = self.views[0].plan.setting
        seed = setting.seed + twin
        model = random_twin(setting.model, seed)
        return [
            outcome
            for view in self.views
            for outcome in self._outcomes(
                view, f"layers/twin-{twin}-{view.name}", [seed], view.plan.with_model(model), first=False
            )
        ]

    def _outcomes(
        self, view: View, part: str, seeds: Sequence[int], plan: Plan, first: bool
    ) -> list[Outcome]:
        """Read the outcomes of a part of the store, one for each task and seed; make those that are missing.

        first: whether it is the model itself, with all that is asked beside the scores.
        """
        asked = [(own, number, seed) for own in view.labels for number, seed in enumerate(seeds)]
        kept = self.store.part(part)
        missing = [place for place in range(len(asked)) if not kept.has(place)]
        features = {split: f"{part}-{split}" for split in view.corpora}
        for place, (own, number, _) in enumerate(asked):
            if place not in missing:
                code = self.code and first and number == 0
                tell_past(self.progress, 0, words_of_probe(self.targets[own.task], self.steps, code))
        if missing:
            held = {split: self._gather(view, split, name, plan) for split, name in features.items()}
            for place in missing:
                own, number, seed = asked[place]
                outcome = self._learn(own, held, f"{part}-{place}", seed, first, first and number == 0)
                kept.write(place, *outcome.to_shard())
        for name in features.values():
            self.store.part(name).drop()
        return [Outcome.from_shard(*_state(kept, place)) for place in range(len(asked))]

    def _gather(self, view: View, split: str, part: str, plan: Plan) -> Held:
        held = Held()

        def look(done: Done) -> None:
            for place, own in enumerate(view.labels):
                held.seen[own.task] += int(_rows(done, SEEN).result()[:, place].sum())
                held.used[own.task] += len(_rows(done, own.task).result())

        try:
            held.shards = gather(plan, view.corpora[split], part, self.store, self.progress, look)
        except InputError as error:
            names = ", ".join(own.task for own in view.labels)
            raise InputError(f"{names}: {error}; leave such tasks out (--task)") from error
        for own in view.labels:
            if not held.used[own.task]:
                raise InputError(
                    f"{view.corpora[split].source}: no target of {own.task} is left to {USES[split]}: all "
                    "lie across the borders of segments, or have words without a piece"
                )
        return held

    def _learn(
        self, own: Labels, held: dict[str, Held], part: str, seed: int, control: bool, whole: bool
    ) -> Outcome:
        """Train and score; control: in the control task too. whole: with the online code and single cases."""
        train, test = (_shelf(held[split].shards, own) for split in ("train", "test"))
        lesson = Lesson(train, test, self.shape(own), own.counted, self.steps)
        learned = self.store.part(f"{part}-learned")
        probes = lesson.learn(seed, self.control and control, learned, self.progress)
        cases = Cases()
        frequent = int(np.argmax(np.where(own.counted, own.shares, -1.0)))
        outcome = Outcome(
            own.task,
            seed,
            lesson.score(probes[TASK], TASK, cases if whole else None),
            probes[TASK].weights().detach().numpy(),
            lesson.constant(frequent),
        )
        outcome.seen = {split: held[split].seen[own.task] for split in held}
        outcome.used = {split: held[split].used[own.task] for split in held}
        if CONTROL in probes:
            outcome.control = lesson.score(probes[CONTROL], CONTROL)
        if whole:
            shards = held["test"].shards
            outcome.cases = cases.told(own, lambda shard, place: _words(shards.read(shard), place))
        if whole and self.code:
            self._code(outcome, lesson, part)
        learned.drop()
        return outcome

    def _code(self, outcome: Outcome, lesson: Lesson, part: str) -> None:
        """Measure the online code; what was trained for a block goes once all are done."""

        def of_block(number: int) -> Part:
            return self.store.part(f"{part}-code-{number}")

        targets = outcome.used["train"]
        outcome.edges, outcome.nats = lesson.code(outcome.seed, targets, of_block, self.progress)
        for number in range(len(outcome.edges)):
            of_block(number).drop()


def _shelf(gathered: Gathered, own: Labels) -> EdgeShelf:
    def read(number: int) -> EdgeShard:
        done = gathered.read(number)
        hidden, rows = done.tallies["hidden"]["hidden"], _rows(done, own.task)
        assert isinstance(hidden, HiddenTally)
        return EdgeShard(number, hidden.result(), rows.result().astype(np.int64), rows.documents())

    return EdgeShelf(read, gathered.numbers, own.spans, BATCH)


def _state(part: Part, number: int) -> ShardState:
    state = part.read(number)
    assert state is not None
    return state


def _rows(done: Done, name: str) -> Rows:
    tally = done.tallies["targets"][name]
    assert isinstance(tally, Rows)
    return tally


def _words(done: Done, place: int) -> list[str]:
    tally = done.tallies["targets"][WORDS]
    assert isinstance(tally, Records)
    return tally.result()[place].decode("utf-8", "surrogatepass").split(BETWEEN)

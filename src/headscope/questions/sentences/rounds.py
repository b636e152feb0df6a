"""Rounds of probing for a model and its twins: vectors into shards, classifiers over them, answers kept.

Vectors are large and stay on disk, until the classifiers over them are done; in memory are those of one task
and layer. What a task gave is small and kept until the run has finished, so a stopped run goes on behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from headscope.analyses.hidden_states import HiddenStates
from headscope.blocks import block_of
from headscope.engine.effort import Step, Steps, passes_over, tell_past
from headscope.engine.gathering import Gathered, gather
from headscope.engine.stores import ShardStore
from headscope.engine.work import Plan
from headscope.errors import InputError
from headscope.models.twin import random_twin
from headscope.probes.regression import Sets, Split, regress
from headscope.questions.sentences.learning import Arrays, erase, perceive
from headscope.questions.sentences.making.examples import SCORED, TRAIN, TUNED
from headscope.questions.sentences.options import Options
from headscope.questions.sentences.reading import Task
from headscope.questions.sentences.spoken import HeldVectors, Spoken
from headscope.results.shards import Part
from headscope.text.batches import Progress

REGRESSION, ERASURE, PERCEPTRONS = 0.1, 0.15, 0.9
"""What each costs for a word of a task's sentences, in passes over it: as measured of the embedded model."""


def steps_of(options: Options, tasks: Sequence[Task], spoken: Spoken) -> Steps:
    """Vectors of all sentences, classifiers over them, then those of twins."""
    words, count, ways = sum(task.words for task in tasks), len(tasks), len(options.poolings)
    deeper = ERASURE + (PERCEPTRONS if options.perceives else 0.0)
    told = "erasure and perceptrons" if options.perceives else "erasure"
    steps = [
        passes_over(spoken.words),
        Step(f"{count} tasks x {ways} poolings", ways * words, REGRESSION),
        Step(f"{told} of {count} tasks", words, deeper),
    ]
    for _ in range(options.at_random):
        steps += [passes_over(spoken.words), Step(f"{count} tasks of a twin", words, REGRESSION)]
    return steps


def sets_of(task: Task, spoken: Spoken, known: np.ndarray) -> Sets:
    """A task as numbers, without the sentences that have no vector. known: (sentence,) bool."""
    labels = {label: number for number, label in enumerate(task.labels)}
    rows = np.array([spoken.places[example.words] for example in task.examples])
    numbers = np.array([labels[example.label] for example in task.examples])
    splits = np.array([example.split for example in task.examples])
    blocks = np.array([block_of(example.document) for example in task.examples], np.int32)
    used = {split: (splits == split) & known[rows] for split in (TRAIN, TUNED, SCORED)}
    train, tune, test = (Split(rows[used[split]], numbers[used[split]]) for split in (TRAIN, TUNED, SCORED))
    return Sets(train, tune, test, len(labels), blocks[used[SCORED]])


def refuse_few(task: Task, spoken: Spoken, known: np.ndarray) -> None:
    """Refuse a task that cannot be probed with the sentences that have a vector. known: (sentence,) bool."""
    left = [example for example in task.examples if known[spoken.places[example.words]]]
    lacks = replace(task, examples=left).lacks(1)
    if lacks:
        raise InputError(
            f"{task.name}: {lacks} where {len(left):,} of {len(task.examples):,} sentences have a vector; "
            "the others are too long: raise --pieces, or leave the task out with --task"
        )


@dataclass
class Outcome:
    """What the tasks gave for one model.

    regressed: by task and pooling, see `learning.regress`. pooling: by task, the one that did best on the
    tuning examples, averaged over layers. perceived, erased: by task, over that pooling; of a twin none.
    known: (sentence,) bool, whether it has a vector. skipped: words of those that have none.
    """

    regressed: dict[str, dict[str, Arrays]] = field(default_factory=dict)
    pooling: dict[str, str] = field(default_factory=dict)
    perceived: dict[str, Arrays] = field(default_factory=dict)
    erased: dict[str, Arrays] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    known: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))


@dataclass
class Rounds:
    """Everything that rounds have in common."""

    plan: Plan
    asked: HiddenStates
    tasks: Sequence[Task]
    spoken: Spoken
    options: Options
    store: ShardStore
    progress: Progress | None = None

    def of_model(self) -> Outcome:
        return self._round("sentences/model", lambda: self.plan)

    def of_twin(self, twin: int, model: Outcome) -> Outcome:
        """Logistic regression over the vectors of a random twin, by the pooling that is best for a model."""

        def drawn() -> Plan:
            return self.plan.with_model(random_twin(self.plan.setting.model, self.plan.setting.seed + twin))

        return self._round(f"sentences/twin-{twin}", drawn, model.pooling)

    def _round(self, part: str, plan: Callable[[], Plan], only: Mapping[str, str] | None = None) -> Outcome:
        """Make what is missing of a round, task by task, and put it together.

        only: the pooling to take for each task; without, all of them, and then deeper into the best one.
        """
        flat, deeper = self.store.part(f"{part}-flat"), self.store.part(f"{part}-deep")
        poolings, count = self.asked.poolings, len(self.tasks)
        numbers = [
            number
            for number in range(len(poolings) * count)
            if only is None or poolings[number // count] == only[self.tasks[number % count].name]
        ]
        is_done = all(map(flat.has, numbers)) and (only is not None or all(map(deeper.has, range(count))))
        vectors = HeldVectors(None if is_done else self._gathered(part, plan()), self.spoken)
        if is_done:
            tell_past(self.progress, 0, self.spoken.words)
        for number in numbers:
            pooling, task = divmod(number, count)
            if flat.has(number):
                tell_past(self.progress, 0, self.tasks[task].words)
            else:
                refuse_few(self.tasks[task], self.spoken, vectors.known)
                sets = sets_of(self.tasks[task], self.spoken, vectors.known)
                arrays = regress(vectors.of(pooling), sets)
                own = {**arrays, "blocks": sets.blocks, "known": vectors.known}
                flat.write(number, own, {"skipped": vectors.skipped})
                self._tell(self.tasks[task])
        outcome = self._put_together(flat, numbers)
        if only is None:
            self._go_deeper(deeper, vectors, outcome)
        vectors.drop()
        return outcome

    def _gathered(self, part: str, plan: Plan) -> Gathered:
        return gather(plan, self.spoken.corpus(), f"{part}-vectors", self.store, self.progress)

    def _put_together(self, flat: Part, numbers: Sequence[int]) -> Outcome:
        outcome = Outcome()
        for number in numbers:
            pooling, task = divmod(number, len(self.tasks))
            state = flat.read(number)
            assert state is not None
            name = self.tasks[task].name
            outcome.regressed.setdefault(name, {})[self.asked.poolings[pooling]] = state[0]
            outcome.skipped, outcome.known = Counter(state[1]["skipped"]), state[0]["known"]
        for name, poolings in outcome.regressed.items():
            outcome.pooling[name] = max(poolings, key=lambda one: float(poolings[one]["tuned"].mean()))
        return outcome

    def _go_deeper(self, deeper: Part, vectors: HeldVectors, outcome: Outcome) -> None:
        """Perceptrons and erasure over the best pooling of each task, one pooling after the other."""
        options, poolings = self.options, list[str](self.asked.poolings)
        order = sorted(range(len(self.tasks)), key=lambda one: poolings.index(self._best(outcome, one)))
        for number in order:
            if deeper.has(number):
                tell_past(self.progress, 0, self.tasks[number].words)
                continue
            best = self._best(outcome, number)
            sets = sets_of(self.tasks[number], self.spoken, vectors.known)
            own = vectors.of(poolings.index(best))
            regressed = outcome.regressed[self.tasks[number].name][best]
            erased = erase(own, sets, regressed["strength"], options.erase, options.seed)
            arrays = _prefixed("erased", erased)
            if options.perceives:
                layer = int(regressed["tuned"].argmax())
                learned = perceive(own, sets, layer, options.hidden, options.seeds, options.seed)
                arrays |= _prefixed("perceived", learned)
            deeper.write(number, arrays, {})
            self._tell(self.tasks[number])
        for number, task in enumerate(self.tasks):
            state = deeper.read(number)
            assert state is not None
            for path, array in state[0].items():
                kind, _, name = path.partition("/")
                getattr(outcome, kind).setdefault(task.name, {})[name] = array

    def _tell(self, task: Task) -> None:
        if self.progress is not None:
            self.progress(0, task.words)

    def _best(self, outcome: Outcome, number: int) -> str:
        return outcome.pooling[self.tasks[number].name]


def _prefixed(kind: str, arrays: Arrays) -> Arrays:
    return {f"{kind}/{name}": array for name, array in arrays.items()}

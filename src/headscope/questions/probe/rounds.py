"""Rounds of training for a model and its random twins: features into shards, probes over them, outcomes kept.

Features are large and stay on disk only until the rounds over them are done. An outcome is small and is kept
until the run has finished, and so is every epoch until its round has: a stopped run goes on behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headscope.engine.effort import tell_past
from headscope.engine.running import each
from headscope.engine.states import from_state
from headscope.engine.stores import ShardStore
from headscope.engine.work import Done, Plan
from headscope.errors import InputError
from headscope.models.twin import random_twin
from headscope.probes.features import Features, FeatureTally
from headscope.probes.outcomes import Outcome
from headscope.probes.padded import Shelf
from headscope.probes.teaching import Round
from headscope.probes.vectors import Vectors
from headscope.results.shards import ShardState
from headscope.tasks.course import Course
from headscope.text import Corpus
from headscope.text.batches import Progress
from headscope.text.treebanks import USES


@dataclass
class Rounds:
    """Everything that rounds have in common.

    corpora, words: the documents of each split, and how many words they have.
    """

    plan: Plan
    corpora: dict[str, Corpus]
    words: dict[str, int]
    vectors: Vectors | None
    course: Course
    control: bool
    store: ShardStore
    progress: Progress | None = None

    def of_model(self, seeds: Sequence[int]) -> list[Outcome]:
        """One outcome per seed."""
        return self._outcomes("probe/model", seeds, lambda: self.plan, baselines=True)

    def of_twin(self, twin: int) -> Outcome:
        """The outcome of one random twin, trained with the seed that drew it."""
        seed = self.plan.setting.seed + twin

        def drawn() -> Plan:
            return self.plan.with_model(random_twin(self.plan.setting.model, seed))

        (outcome,) = self._outcomes(f"probe/twin-{twin}", [seed], drawn, baselines=False)
        return outcome

    def _outcomes(
        self, part: str, seeds: Sequence[int], plan: Callable[[], Plan], baselines: bool
    ) -> list[Outcome]:
        """Read the outcomes of a part of the store, one for each seed, and make those that are missing."""
        missing = {n: seed for n, seed in enumerate(seeds) if self.store.part(part).read(n) is None}
        words = self.words
        self._tell(words["train"] * self.course.epochs * (len(seeds) - len(missing)))
        features = {split: f"{part}-{split}" for split in words}
        if missing:
            ready = plan()
            data = {split: self._gather(ready, split, name) for split, name in features.items()}
            shelves = {split: self._shelf(name) for split, name in features.items()}
            heads = len(self.plan.setting.chosen())
            control = self.control and baselines
            training = Round(**shelves, heads=heads, baselines=baselines, control=control)
            for number, seed in missing.items():
                learned = self.store.part(f"{part}-round-{number}")
                outcome = training.run(replace(self.course, seed=seed), learned, self.progress)
                outcome.data = data
                self.store.part(part).write(number, *outcome.to_shard())
                learned.drop()
                self._tell(words["train"] * (self.course.epochs - outcome.epochs))
        else:
            self._tell(sum(words.values()))
        for name in features.values():
            self.store.part(name).drop()
        return [Outcome.from_shard(*self._read(part, number)) for number in range(len(seeds))]

    def _gather(self, plan: Plan, split: str, part: str) -> dict[str, Any]:
        """Run a model over a split, into shards (finished ones are only counted); what it was taken over."""
        corpus = self.corpora[split]
        sentences, words, skipped = 0, 0, Counter[str]()
        for done in each(plan, corpus, part, self.store, self.progress):
            features = _features(done)
            sentences += len(features.sizes)
            words += int((features.gold >= 0).sum())
            skipped.update({**done.skipped, "alone in their sentence": int(features.alone)})
        if not sentences:
            raise InputError(f"{corpus.source}: no sentence of two words or more in what is to {USES[split]}")
        return {"sentences": sentences, "words": words, "skipped": dict(+skipped)}

    def _shelf(self, part: str) -> Shelf:
        def read(number: int) -> Features:
            return _features(from_state(self._read(part, number)))

        return Shelf(read, self.store.part(part).numbers(), self.vectors, self.plan.setting.seed)

    def _read(self, part: str, number: int) -> ShardState:
        shard = self.store.part(part).read(number)
        assert shard is not None
        return shard

    def _tell(self, words: int) -> None:
        tell_past(self.progress, 0, words)


def _features(done: Done) -> Features:
    tally = done.tallies["features"]["features"]
    assert isinstance(tally, FeatureTally)
    return tally.result()

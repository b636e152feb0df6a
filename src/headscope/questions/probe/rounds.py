"""Rounds of training for a model and its random twins: features into shards, probes over them, outcomes kept.

Features are large and stay on disk only until the rounds over them are done. An outcome is small and is kept
until the run has finished, so that a stopped run goes on behind its last finished round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from headscope.engine.running import each
from headscope.engine.shards import shards
from headscope.engine.stores import ShardStore
from headscope.engine.work import Plan
from headscope.errors import InputError
from headscope.models.twin import random_twin
from headscope.probes.features import Features, FeatureTally
from headscope.probes.outcomes import Outcome
from headscope.probes.padded import Shelf
from headscope.probes.teaching import Round
from headscope.probes.training import Epochs
from headscope.probes.vectors import Vectors
from headscope.text.batches import Progress
from headscope.text.treebanks import USES, Splits

VERB = "probe"
_TWINS = 10**5
"""Outcomes of twins are numbered from here."""


class Store(ShardStore, Protocol):
    """Where shards are kept and dropped again; a run folder is one."""

    def shards(self, verb: str) -> list[int]: ...

    def drop_shards(self, verb: str) -> None: ...


@dataclass
class Rounds:
    """Everything that rounds have in common."""

    plan: Plan
    splits: Splits
    vectors: Vectors | None
    epochs: Epochs
    control: bool
    store: Store
    progress: Progress | None = None

    def of_model(self, seeds: Sequence[int]) -> list[Outcome]:
        """One outcome per seed."""
        return self._outcomes("model", dict(enumerate(seeds)), lambda: self.plan, baselines=True)

    def of_twin(self, twin: int) -> Outcome:
        """The outcome of one random twin, trained with the seed that drew it."""
        seed = self.plan.setting.seed + twin

        def drawn() -> Plan:
            return self.plan.with_model(random_twin(self.plan.setting.model, seed))

        (outcome,) = self._outcomes(f"twin-{twin}", {_TWINS + twin: seed}, drawn, baselines=False)
        return outcome

    def _outcomes(
        self, who: str, wanted: dict[int, int], plan: Callable[[], Plan], baselines: bool
    ) -> list[Outcome]:
        """Read outcomes, numbered with their seeds, and make those that are missing."""
        missing = {n: seed for n, seed in wanted.items() if self.store.read_shard(VERB, n) is None}
        words = self.splits.words
        self._tell(words["train"] * self.epochs.most * (len(wanted) - len(missing)))
        names = {split: f"{VERB}-{who}-{split}" for split in words}
        if missing:
            ready = plan()
            data = {split: self._gather(ready, split, name) for split, name in names.items()}
            shelves = {split: self._shelf(name) for split, name in names.items()}
            heads = len(self.plan.setting.chosen())
            control = self.control and baselines
            one = Round(**shelves, heads=heads, baselines=baselines, control=control)
            for number, seed in missing.items():
                outcome = one.run(seed, self.epochs, self.progress)
                outcome.data = data
                self.store.write_shard(VERB, number, *outcome.to_shard())
                self._tell(words["train"] * (self.epochs.most - outcome.epochs))
        else:
            self._tell(sum(words.values()))
        for name in names.values():
            self.store.drop_shards(name)
        kept = [self.store.read_shard(VERB, number) for number in wanted]
        return [Outcome.from_shard(*shard) for shard in kept if shard is not None]

    def _gather(self, plan: Plan, split: str, name: str) -> dict[str, Any]:
        """Run a model over a split, into shards (finished ones are only counted); what it was taken over."""
        corpus = self.splits.corpora()[split]
        sentences, words, skipped = 0, 0, Counter[str]()
        for done in each(plan, shards(corpus), name, self.store, self.progress):
            tally = done.tallies["features"]["features"]
            assert isinstance(tally, FeatureTally)
            features = tally.result()
            sentences += len(features.sizes)
            words += int((features.gold >= 0).sum())
            skipped.update({**done.skipped, "alone in their sentence": int(features.alone)})
        if not sentences:
            raise InputError(f"{corpus.source}: no sentence of two words or more in what is to {USES[split]}")
        return {"sentences": sentences, "words": words, "skipped": dict(+skipped)}

    def _shelf(self, name: str) -> Shelf:
        def read(number: int) -> Features:
            shard = self.store.read_shard(name, number)
            assert shard is not None
            return Features.from_state({path.rpartition("/")[2]: array for path, array in shard[0].items()})

        return Shelf(read, self.store.shards(name), self.vectors, self.plan.setting.seed)

    def _tell(self, words: int) -> None:
        if self.progress is not None and words:
            self.progress(0, words)

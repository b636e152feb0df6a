"""Everything that was measured, put together, and its sums over blocks of documents, for intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headscope.analyses.hidden_states import HiddenStates
from headscope.engine.stores import ShardStore
from headscope.measures.statistics import mean_interval
from headscope.probes.vectors import Vectors
from headscope.questions.sentences.beside import baselines
from headscope.questions.sentences.published import BASELINES
from headscope.questions.sentences.reading import Task
from headscope.questions.sentences.rounds import Outcome, sets_of
from headscope.questions.sentences.spoken import Spoken

DRAWS = 10_000
"""Of an interval: with ten tasks at once, a tail beyond it still holds 25 of them."""


@dataclass(frozen=True)
class Outcomes:
    """What a model, its twins and the baselines gave. beside: by task and baseline, (scored example,).

    states: the layers that the model has, with the embeddings, of which some may have been chosen.
    """

    tasks: Sequence[Task]
    asked: HiddenStates
    model: Outcome
    twins: Sequence[Outcome]
    beside: dict[str, dict[str, np.ndarray]]
    seed: int
    states: int

    @property
    def layers(self) -> list[int]:
        return list(self.asked.layers)

    @property
    def middle(self) -> int:
        """The layer in the middle of the model."""
        return self.states // 2

    @property
    def last(self) -> int:
        """The last layer of the model."""
        return self.states - 1

    @property
    def has_both(self) -> bool:
        """Whether the last layer can be told beside the middle one: both were chosen, and are two."""
        return self.middle != self.last and {self.middle, self.last} <= set(self.layers)

    def blocks(self, task: str) -> np.ndarray:
        """The block of each scored example's document, (example,)."""
        return next(iter(self.model.regressed[task].values()))["blocks"]

    def right(self, task: str, pooling: str | None = None) -> np.ndarray:
        """Whether logistic regression is right, (layer, example); by default over the best pooling."""
        return self.model.regressed[task][pooling or self.model.pooling[task]]["right"]

    def twin(self, task: str, pooling: str) -> np.ndarray | None:
        """How often it is right over random twins, (layer, example); None where none was read so."""
        found = [
            twin.regressed[task][pooling]["right"] for twin in self.twins if pooling in twin.regressed[task]
        ]
        return np.mean(found, axis=0) if found else None

    def best(self, task: str) -> int:
        """The place of the layer that does best on the tuning examples."""
        return int(self.model.regressed[task][self.model.pooling[task]]["tuned"].argmax())

    def interval(self, task: str, values: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Interval over documents of means (..., example), such as shares of right answers or differences."""
        return mean_interval(values, self.blocks(task), self.seed, DRAWS, level)


def beside_of(
    tasks: Sequence[Task], spoken: Spoken, model: Outcome, vectors: Vectors | None, store: ShardStore
) -> dict[str, dict[str, np.ndarray]]:
    """The baselines of each task, made once; sentences that the model does not take are left out here too."""
    part = store.part("sentences/beside")
    found: dict[str, dict[str, np.ndarray]] = {}
    for number, task in enumerate(tasks):
        if not part.has(number):
            sets = sets_of(task, spoken, model.known)
            part.write(number, baselines(spoken, sets, vectors), {})
        state = part.read(number)
        assert state is not None
        found[task.name] = {name: state[0][name] for name in BASELINES if name in state[0]}
    return found

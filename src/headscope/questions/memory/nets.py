"""The nets of a question: each trained, scored at all delays, its slow points found; kept as soon as done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from headscope.engine.effort import Step, Steps, tell_past
from headscope.engine.stores import ShardStore
from headscope.questions.memory.learning import Kind, batches, build, kinds_of, losses, train
from headscope.questions.memory.making import Vocabulary, classes_of
from headscope.questions.memory.options import OF_NETS, Options
from headscope.questions.memory.slowing import SCORED, Arrays, drift, slow, trained_on
from headscope.results.provenance import version
from headscope.text import Corpus
from headscope.text.batches import Progress

TOGETHER = 250
"""Sequences that a net reads at once where it is scored."""

PLAIN, LONGER, SLOWER = "as trained", "trained on", "trained on, slower"
"""What a recurrent net is after its training, after more of it, and after more of it with the penalty."""


@dataclass(frozen=True)
class OfNets:
    """Nets to train, and what they are asked."""

    options: Options
    vocabulary: Vocabulary

    @classmethod
    def of(cls, options: Options) -> OfNets:
        return cls(options, Vocabulary(classes_of(options)))

    @property
    def name(self) -> str:
        return str(self.options.model)

    @property
    def delays(self) -> list[int]:
        return sorted(set(self.options.delays or OF_NETS))

    @property
    def judged(self) -> int:
        """The delay at which a net shows whether it has learned: the shortest, or one that was trained."""
        return min(*self.delays, self.options.delay)

    @property
    def kinds(self) -> list[Kind]:
        return kinds_of(self.options)

    @property
    def steps(self) -> Steps:
        """Training."""
        words = sum(map(self.words_of, self.kinds))
        return [Step(f"{len(self.kinds)} nets learn from {words:,} words", words)]

    def words_of(self, kind: Kind) -> int:
        """Of one net."""
        options = self.options
        steps = options.steps + (2 * options.slower if kind.has_slow_points else 0)
        return steps * options.batch_size * (options.delay + self.vocabulary.length + 1)

    @property
    def identity(self) -> dict[str, Any]:
        decided = {"delays": self.delays, "words": self.options.different}
        return {
            "model": {"name": self.name},
            "options": self.options.decided(**decided),
            "headscope": version(),
        }

    @property
    def corpora(self) -> Sequence[Corpus]:
        return ()


def measure_all(question: OfNets, store: ShardStore, progress: Progress | None) -> dict[Kind, Arrays]:
    """What each net shows; those that the store knows already are not trained again."""
    found = {}
    for kind in question.kinds:
        part = store.part(f"memory/{kind.name}-measured")
        if not part.has(0):
            part.write(0, _measured(question, kind, store, progress), {})
        else:
            tell_past(progress, 0, question.words_of(kind))
        state = part.read(0)
        assert state is not None
        found[kind] = state[0]
    return found


def _measured(question: OfNets, kind: Kind, store: ShardStore, progress: Progress | None) -> Arrays:
    options, vocabulary = question.options, question.vocabulary
    net = build(kind, options, vocabulary)
    train(
        net,
        lambda batch, step: losses(net, batch),
        lambda: batches(kind, options, vocabulary),
        options.steps,
        options.rate,
        kind.seed,
        store.part(f"memory/{kind.name}"),
        progress,
    )
    found = {"right": right_by_delay(net, question), "judged": right_at(net, question, question.judged)}
    if not kind.has_slow_points:
        return found
    slowness = slow(net, vocabulary, options)
    found |= {f"{PLAIN}/{name}": array for name, array in slowness.items()}
    found |= drift(net, vocabulary, options, question.delays[-1])
    for name, points in ((LONGER, None), (SLOWER, slowness["points"])) if options.slower else ():
        more = store.part(f"memory/{kind.name}-{name.replace(', ', '-').replace(' ', '-')}")
        after = trained_on(net, kind, vocabulary, options, points, more, progress)
        found[f"{name}/right"] = right_by_delay(after, question)
        found |= {f"{name}/{key}": array for key, array in slow(after, vocabulary, options).items()}
    return found


def right_by_delay(net: Any, question: OfNets) -> np.ndarray:
    """The share of right answers of each class, (delay, class)."""
    return np.stack([right_at(net, question, delay) for delay in question.delays])


@torch.no_grad()
def right_at(net: Any, question: OfNets, delay: int) -> np.ndarray:
    """The share of right answers of each class, (class,); all nets are asked the same sequences."""
    options, vocabulary = question.options, question.vocabulary
    drawn = vocabulary.scored(np.random.default_rng([options.seed, SCORED, delay]), options.tested, delay)
    answers = [
        net(ids).logits[:, -1].argmax(-1) for ids in torch.split(torch.from_numpy(drawn.ids), TOGETHER)
    ]
    right = torch.cat(answers).numpy() == drawn.classes + 1
    number = len(vocabulary.phrases)
    counts = np.bincount(drawn.classes, minlength=number)
    shares: np.ndarray = np.bincount(drawn.classes, right, number) / np.maximum(counts, 1)
    return shares

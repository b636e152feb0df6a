"""Which heads a frozen model can do without, learned: gates that a penalty closes.

Voita et al. 2019, section 5: every head is multiplied by a hard-concrete gate, drawn once for a batch, and
the loss gets lambda times the mean over layers of the expected number of open gates. Here the model stays
frozen, so that the gates tell about this model and not about one that is trained along with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch

from headscope.analyses.analysis import Setting
from headscope.attention import OutputEdit, Site
from headscope.heads import Head
from headscope.measures.concrete import chance_open, sample, settled_gate
from headscope.models import sides_of
from headscope.questions.prune.options import GATES
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.choice import in_one_pass
from headscope.tasks.course import Course, Descent
from headscope.tasks.learner import Learner
from headscope.tasks.task import Task
from headscope.tasks.training import Training
from headscope.text import Segment
from headscope.text.batches import Progress

Drawn = tuple[list[Segment], torch.Tensor]
"""Texts, and the noise of the gates for them."""
POINTS = 10
"""How often the gates are kept to go on from, while they are learned."""
START = 2.0
"""The log of `a` that gates begin with: nearly open, since the model was trained with open ones."""


@dataclass(frozen=True)
class Lessons:
    """How gates are learned. penalty: the published lambda, 0.1, is meant for a model that trains along."""

    steps: int = 300
    batch_size: int = 32
    penalty: float = 0.1
    rate: float = 0.1


class Gates(OutputEdit):
    """Multiplies each head by its gate; `draw` sets the gates for the next forward pass."""

    def __init__(self, heads: Iterable[Head]) -> None:
        heads = list(heads)
        super().__init__(heads)
        self._rows = {head: row for row, head in enumerate(heads)}
        self.log_a = torch.full((len(heads),), START, requires_grad=True)
        self._drawn = settled_gate(self.log_a)

    def draw(self, noise: torch.Tensor) -> None:
        self._drawn = sample(self.log_a, noise)

    def change(self, output: torch.Tensor, site: Site) -> torch.Tensor:
        rows = [self._rows[Head(site.stack, site.layer, index)] for index in self.at(site)]
        return output * self._drawn[rows].to(output)[:, None]

    def open_by_layer(self) -> torch.Tensor:
        """Expected open gates, mean over layers."""
        layers = len({(head.stack, head.layer) for head in self._rows})
        return chance_open(self.log_a).sum() / layers


def learn_gates(
    setting: Setting,
    task: Task,
    segments: Iterable[Segment],
    lessons: Lessons,
    store: Checkpoints,
    progress: Progress | None = None,
) -> dict[Head, float]:
    """The log of `a` of each head in question after training on segments drawn at random.

    segments: are not asked for where the store has gates that were learned before.
    """
    model, heads, task = setting.model, setting.chosen(), in_one_pass(task)
    gates = Gates(heads)

    def draw(epoch: int) -> Iterator[Drawn]:
        texts = list(segments)
        generator = torch.Generator().manual_seed(setting.seed)
        for _ in range(lessons.steps):
            numbers = torch.randint(len(texts), (lessons.batch_size,), generator=generator).tolist()
            noise = torch.rand(len(heads), generator=generator)
            yield [texts[number] for number in numbers], noise

    def losses(drawn: Drawn, step: int) -> torch.Tensor:
        texts, noise = drawn
        gates.draw(noise)
        prepared = [
            task.prepare(sides_of(model, batch)) for batch in model.batches(texts, lessons.batch_size)
        ]
        with model.attached(edits=[gates], whole=True) as module:
            scored = torch.cat([task.score(module, sides).loss for sides in prepared])
            return scored + lessons.penalty * gates.open_by_layer()

    Training(
        {GATES: Learner({GATES: gates.log_a}, losses, Descent(lessons.rate, "adam", "flat", clip=None))},
        draw,
        lambda drawn: (len(drawn[0]), sum(len(segment.words) for segment in drawn[0])),
        Course(1, lessons.batch_size, POINTS, seed=setting.seed),
        steps=lessons.steps,
        remedy="see that the model gives finite numbers, or give another --penalty",
    ).run(store, progress)
    return dict(zip(heads, gates.log_a.tolist(), strict=True))

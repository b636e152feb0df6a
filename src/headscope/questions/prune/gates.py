"""Which heads a frozen model can do without, learned: gates that a penalty closes.

Voita et al. 2019, section 5: every head is multiplied by a hard-concrete gate, drawn once for a batch, and
the loss gets lambda times the mean over layers of the expected number of open gates. Here the model stays
frozen, so that the gates tell about this model and not about one that is trained along with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch

from headscope.analyses.analysis import Setting
from headscope.attention import OutputEdit, Site
from headscope.heads import Head
from headscope.measures.concrete import chance_open, sample, settled_gate
from headscope.models import sides_of
from headscope.tasks.choice import in_one_pass
from headscope.tasks.task import Task
from headscope.text import Segment
from headscope.text.batches import Progress

Told = Callable[[int, int], None]
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

    def draw(self, generator: torch.Generator) -> None:
        self._drawn = sample(self.log_a, generator)

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
    segments: Sequence[Segment],
    lessons: Lessons,
    progress: Progress | None = None,
) -> dict[Head, float]:
    """The log of `a` of each head in question after training on segments drawn at random."""
    model, heads, task = setting.model, setting.chosen(), in_one_pass(task)
    gates = Gates(heads)
    optimizer = torch.optim.Adam([gates.log_a], lr=lessons.rate)
    generator = torch.Generator().manual_seed(setting.seed)
    for _ in range(lessons.steps):
        drawn = torch.randint(len(segments), (lessons.batch_size,), generator=generator).tolist()
        texts = [segments[number] for number in drawn]
        gates.draw(generator)
        prepared = [
            task.prepare(sides_of(model, batch)) for batch in model.batches(texts, lessons.batch_size)
        ]
        with torch.enable_grad(), model.attached(edits=[gates], whole=True) as module:
            losses = torch.cat([task.score(module, sides).loss for sides in prepared])
            loss = losses.mean() + lessons.penalty * gates.open_by_layer()
        (gradient,) = torch.autograd.grad(loss, [gates.log_a])
        gates.log_a.grad = gradient
        optimizer.step()
        if progress is not None:
            progress(len(texts), sum(len(segment.words) for segment in texts))
    return dict(zip(heads, gates.log_a.tolist(), strict=True))

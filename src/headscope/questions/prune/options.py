"""What prune can be asked with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.heads import Stack
from headscope.questions.groups import OfTask
from headscope.questions.marks import At

IMPORTANCE, RECOMPUTED, EFFECT, GATES = (
    "importance",
    "importance, recomputed",
    "single-head effect",
    "gates",
)
REVERSED, RANDOM = "reversed", "random"
QUICK_ORDERS, QUICK_EXAMPLES = 10, 300
Ordered = Literal["importance", "importance, recomputed", "single-head effect", "gates", "reversed"]


@dataclass(frozen=True, kw_only=True)
class Options(OfTask):
    """How many heads a task can spare, and a model that is really without them.

    Heads are removed step by step: in the order of their importance (measured once, or anew at each step),
    of their effect alone, of learned gates, the most important first, and at random. Then a share of them is
    taken out for real: the smaller model is saved in the run folder as `model`, checked against the masked
    one, and timed.

    Example: headscope prune runs/reviews/model test.tsv --train reviews.tsv --remove 0.5
    """

    train: Any = field()
    """Training data, on which the orders are decided: other data than they are judged on."""

    beside: tuple[Path, ...] = ()
    """An earlier prune run to show its curves too; may be repeated."""

    remove: Annotated[float, At(0, 1)] = 0.5
    """Share of the heads to take out for real; 0 for none."""

    order: Ordered = "importance"
    """Whose order to take out."""

    score: Literal["example", "token", "confidence"] = "example"
    """Importance by `example` (the paper), `token` (its code), or `confidence`."""

    normalised: bool = True
    """Divide importance by its length in the layer."""

    steps: Annotated[int, At(1)] = 10
    """Points of a curve."""

    random: Annotated[int, At(0)] = 50
    """Random orders, for the band."""

    gate_steps: Annotated[int, At(0)] = 300
    """Batches to learn gates on; 0 for none."""

    penalty: Annotated[float, At(0)] = 0.1
    """What an open gate costs (lambda)."""

    stack: Stack | None = None
    """Only the heads of one stack."""

    speed: bool = True
    """Time the smaller model."""

    quick: bool = False
    """A first answer, whatever else is asked for: 10 random orders, no gates (unless --order gates), 300
    examples to score on and 300 to decide on."""

    @property
    def at_random(self) -> int:
        """How many random orders are drawn."""
        return min(self.random, QUICK_ORDERS) if self.quick else self.random

    @property
    def lessons(self) -> int:
        """How many batches gates are learned on."""
        return 0 if self.quick and self.order != GATES else self.gate_steps

    @property
    def scored(self) -> int | None:
        """How many examples are scored at most."""
        return min(self.limit or QUICK_EXAMPLES, QUICK_EXAMPLES) if self.quick else self.limit

    @property
    def decided_on(self) -> int:
        """How many training examples decide on orders at most."""
        return min(self.train_limit, QUICK_EXAMPLES) if self.quick else self.train_limit

    def check(self) -> None:
        if self.order == GATES and not self.gate_steps:
            raise OptionError("--order gates needs learned gates; let --gate-steps be above 0")

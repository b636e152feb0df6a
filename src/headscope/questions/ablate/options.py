"""What ablate can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from headscope.questions.groups import OfTask
from headscope.questions.marks import Between


@dataclass(frozen=True, kw_only=True)
class Options(OfTask):
    """Which heads matter for a task.

    Every head is removed alone, then whole layers, then (with --train) all heads of a layer but the best.
    What that does to the score is tested over examples and corrected for the number of heads: a head is
    worse or better to be without, harmless (a loss above --margin is excluded) or undecided. Beside it
    stands each head's importance by gradients. `headscope finetune` makes a model for a task.

    Example: headscope ablate runs/reviews/model test.tsv --train reviews.tsv
    """

    train: Any = None
    """Training data: decides which head stays alone in its layer, means, importance."""

    other: Any = None
    """A second data set of the task: do its effects agree?"""

    by: Literal["zero", "mean"] = "zero"
    """What a removed head hands on: `zero` or its `mean`."""

    margin: Annotated[float, Between(0, 1)] = 0.01
    """The loss that `harmless` excludes: 0.01 is one point."""

    gradients: bool = True
    """Measure importance by gradients too."""

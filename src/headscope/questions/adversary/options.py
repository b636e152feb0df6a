"""What adversary can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.questions.groups import KeepsRun, OfColumns, OfData, OfModel
from headscope.questions.marks import COMPUTING, Argument, At, Between, Group
from headscope.tasks.course import Optimiser

PENALTIES = (0.0, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
GLOVE = "glove"
QUICK_EPOCHS, QUICK_TEXTS = 2, 1000


@dataclass(frozen=True, kw_only=True)
class Options(OfModel, OfColumns, OfData, KeepsRun):
    """Is there another way to the same answers, and is attention worth anything to another model?

    Adversaries learn to answer as MODEL does while they look elsewhere: their loss is the distance of their
    answers less a penalty times the divergence of their attention. Beside them stand other seeds, even
    attention, attention to itself, random maps and none; then maps are given to fresh nets and frozen. Nets
    of ours start from nothing, other models from a copy.

    Example: headscope adversary runs/net/models/seed-0 test.iob --train train.iob
    """

    data: Annotated[Any, Argument(1, "DATA")]
    """Labelled examples that all are scored on."""

    train: Any
    """Labelled examples that all are trained on."""

    dev: Any = None
    """Data to choose the best weights on. Default: a part of --train, held out."""

    held_out: Annotated[float, Between(0, 1)] = 0.1
    """The part that is held out without --dev."""

    penalties: Annotated[tuple[float, ...], At(0)] = PENALTIES
    """What a nat of divergence is worth, as 0,0.01,0.1; 0 is always among them, what others are held to."""

    seeds: Annotated[int, At(1)] = 3
    """So many models of each kind, with seeds from --seed on."""

    around: Annotated[tuple[float, ...], At(0)] = ()
    """Penalties that are looked at more closely, with --around-seeds models each."""

    around_seeds: Annotated[int, At(1)] = 8
    """Models of each penalty in --around."""

    distance: Literal["nll", "tvd"] = "nll"
    """Of answers: log loss of what the model answers (`nll`), or total variation (`tvd`)."""

    divergence: Literal["kl", "jsd"] = "kl"
    """Of attention: KL(adversary || model), or Jensen-Shannon; per query, in nats."""

    scope: str = "all"
    """Whose attention: of `all` layers, the `last`, or a layer's number."""

    weights: Literal["all", "attention"] = "all"
    """What adversaries that start from a copy may change: all weights, or those of attention alone."""

    against: tuple[Any, ...] = ()
    """Models of the same architecture trained with other seeds, or runs that hold one."""

    controls: bool = True
    """Train the same with even attention, to itself, with random maps, without attention."""

    frozen: bool = True
    """Give maps of the model, of adversaries and of other seeds to fresh nets; not to copies."""

    given: Annotated[tuple[float, ...], At(0)] = ()
    """Penalties whose adversaries give their maps. Default: all."""

    instances: Annotated[int, At(0)] = 50
    """Seek adversaries to single answers of so many texts; to all, where that needs no passes."""

    vectors: str | None = None
    """Word vectors that nets start from: `glove` or a file. Default: those that the model has now."""

    freeze_vectors: bool | None = None
    """Leave the word vectors as they are. Default: of all but pooled and disan, as they are trained."""

    margin: Annotated[float, Between(0, 1)] = 0.02
    """A smaller difference of scores counts as none."""

    beside: tuple[Any, ...] = ()
    """Finished runs of adversary that are drawn on the same picture."""

    epochs: Annotated[int, At(1)] = 4
    """How often to go through --train."""

    rate: Annotated[float | None, Between(0, inf)] = None
    """Highest learning rate. Default: 0.005 for taggers and 0.001 for other nets of ours, 0.0001 for
    other models."""

    optimiser: Optimiser | None = None
    """What moves the weights. Default: adam for nets of ours, adamw for other models."""

    train_limit: Annotated[int | None, At(1)] = None
    """Only so many examples of --train."""

    task: Literal["classification", "pairs", "tagging"] | None = None
    """What the model is scored on. Default: what its head is for."""

    quick: bool = False
    """A first answer, whatever else is asked for: three penalties, one seed, two epochs, 1,000 texts, no
    controls, nothing frozen."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest example in pieces. Default: 128, or what fits."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Examples in a step."""

    def check(self) -> None:
        # Not of the grid: --quick trains fewer and freezes nothing, whatever else is asked for.
        asked = {0.0, *self.penalties, *self.around}
        if unknown := [penalty for penalty in self.given if penalty not in asked]:
            raise OptionError(f"--given {unknown[0]:g} is none of the penalties that are trained")

    @property
    def grid(self) -> dict[float, int]:
        """How many models each penalty gets, by the penalty in order."""
        asked = sorted({0.0, *self.penalties})
        if self.quick:
            return dict.fromkeys(dict.fromkeys([asked[0], asked[len(asked) // 2], asked[-1]]), 1)
        closely = {penalty: max(self.seeds, self.around_seeds) for penalty in self.around}
        return dict(sorted((dict.fromkeys(asked, self.seeds) | closely).items()))

    @property
    def givers(self) -> list[float]:
        """The penalties whose adversaries give their maps."""
        return [penalty for penalty in self.grid if not self.given or penalty in self.given]

    @property
    def models(self) -> range:
        """The seeds of models of each kind."""
        return range(self.seed, self.seed + (1 if self.quick else self.seeds))

    @property
    def passes(self) -> int:
        """Over the training data, of each model."""
        return min(self.epochs, QUICK_EPOCHS) if self.quick else self.epochs

    @property
    def texts(self) -> int | None:
        """How many examples are trained on."""
        return min(self.train_limit or QUICK_TEXTS, QUICK_TEXTS) if self.quick else self.train_limit

    @property
    def with_controls(self) -> bool:
        return self.controls and not self.quick

    @property
    def with_frozen(self) -> bool:
        return self.frozen and not self.quick

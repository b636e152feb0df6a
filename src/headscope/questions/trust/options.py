"""What trust can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from headscope.questions.groups import OfExamples
from headscope.questions.marks import COMPUTING, At, Between, Group

QUICK = ("attention", "attention-gradient", "gradient-input")
"""What stands beside the explanation on trial in a first answer."""

OWN_ATTENTION = "own"


@dataclass(frozen=True, kw_only=True)
class Options(OfExamples):
    """May attention be shown as an explanation of what a model answers?

    Each claim that people make when they show it gets yes, no or undecided: that it identifies the words
    an answer rests on, that it ranks words, that it decides, that the answer needs it, that it is the only
    one that would do, that it is stable. What was removed, the baseline and the ceiling stand beside it, as
    does every other way to explain; a card says what may be said, and what to show instead.

    Example: headscope trust runs/reviews/model test.tsv --against runs/reviews-2/model
    """

    of: str = "attention"
    """The explanation on trial: `attention`, a head such as `L5H3`, or any that `headscope explain` knows."""

    by: tuple[str, ...] = ()
    """The explanations that stand beside it. Default: all that the model allows; with --quick a few."""

    against: tuple[Any, ...] = ()
    """Models of the same architecture trained with other seeds, or runs that hold one: is it stable?"""

    train: Any = None
    """Training data: the model is trained with its own attention and with even attention, a net of `train`
    from nothing but its word vectors, any other model on from its weights."""

    train_limit: Annotated[int | None, At(1)] = None
    """Only so many examples of --train. Default: 1000, or all from nothing."""

    epochs: Annotated[int | None, At(1)] = None
    """Passes over --train. Default: 2, or 8 from nothing."""

    rate: Annotated[float | None, Between(0, 1)] = None
    """Highest learning rate on --train. Default: 0.0001, or 0.001 from nothing."""

    edited: str | None = None
    """Column of the same text edited so that its label changes: does the explanation lie on the edit?"""

    reworded: str | None = None
    """Column of the same text in other words that mean the same: do shared words keep their order?"""

    marked: str | None = None
    """Column with the words that people marked as reasons, parted by spaces: do they agree?"""

    removal: Literal["mask", "deletion", "mean"] = "mask"
    """How words are taken away: a mask for each piece, the text without them, or the mean embedding."""

    margin: Annotated[float, Between(0, 1)] = 0.5
    """How much of the way from chance to the model's own best a yes takes."""

    epsilon: Annotated[float, Between(0, 1)] = 0.05
    """Answers nearer than this (total variation distance) count as the same."""

    scope: str = "last"
    """Whose weights are changed where an answer is given: the `last` layer, `all`, or a layer's number."""

    answers: Annotated[int, At(1)] = 1
    """So many answers of each text, for taggers and language models."""

    words: Annotated[int, At(2)] = 20
    """The model's own best and worst order is searched in texts of up to so many words."""

    beam: Annotated[int, At(1)] = 1
    """Orders that are followed at once in that search."""

    adversaries: Annotated[int, At(1)] = 50
    """Adversaries are sought to so many texts; to all, where an answer is linear in its weights."""

    quick: bool = False
    """A cheap first answer: at most 60 texts, few explanations, no heads, no adversary."""

    limit: Annotated[int | None, At(1)] = 300
    """Only the first so many texts."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 16
    """Examples run together."""

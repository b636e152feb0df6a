"""The numbers of answers that claims are judged by: what an analysis leaves, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.blocks import BLOCKS

LEAVE_ONE_OUT, RANDOM, ASCENDING, BEST, WORST = "leave-one-out", "random", "ascending", "best", "worst"
BESIDE = (LEAVE_ONE_OUT, RANDOM, ASCENDING, BEST, WORST)
"""Orders of words that stand beside every explanation: chance (mean of 5 shuffles), the one on trial from its
other end, and the model's own best and worst."""

FIRST = "first"
"""The one that looks at nothing: it is told, but is no rival."""

COMPREHENSIVENESS, SUFFICIENCY, AOPC = "comprehensiveness", "sufficiency", "aopc"
UNTIL, FLIPPED = "until", "flipped"
TAU, TOP, SIGNIFICANT = "tau", "top", "significant"
TAU_GRADIENT, TAU_DETACHED = "tau_gradient", "tau_detached"
FORWARD, BACKWARD = "forward", "backward"
MEASURES = (
    COMPREHENSIVENESS, SUFFICIENCY, AOPC, UNTIL, FLIPPED, TAU, TOP, SIGNIFICANT, TAU_GRADIENT, TAU_DETACHED,
    FORWARD, BACKWARD,
)  # fmt: skip

PROBABILITY, WORDS, RIGHT, SEGMENT, PLACE = "probability", "words", "right", "segment", "place"
FACTS = (PROBABILITY, WORDS, RIGHT, SEGMENT, PLACE)


@dataclass(frozen=True)
class Numbers:
    """Numbers of answers: values (answer, explanation, measure), facts (answer, fact), documents (answer,).

    of: the explanation on trial. yardsticks: those that leave words out themselves, and so are no rivals in
    agreeing with that.
    """

    values: np.ndarray
    names: list[str]
    facts: np.ndarray
    documents: np.ndarray
    of: str
    yardsticks: tuple[str, ...] = (LEAVE_ONE_OUT,)

    @classmethod
    def of_dataset(cls, dataset: xr.Dataset, of: str, yardsticks: tuple[str, ...]) -> Numbers:
        """What the analysis hands over."""
        return cls(
            dataset["value"].values,
            dataset["explanation"].values.tolist(),
            dataset["fact_value"].values,
            dataset["document"].values,
            of,
            (*yardsticks, LEAVE_ONE_OUT),
        )

    def measure(self, measure: str, name: str) -> np.ndarray:
        """One measure of one explanation, (answer,)."""
        column: np.ndarray = self.values[:, self.names.index(name), MEASURES.index(measure)]
        return column

    def on_trial(self, measure: str) -> np.ndarray:
        """One measure of the explanation on trial, (answer,)."""
        return self.measure(measure, self.of)

    def fact(self, name: str) -> np.ndarray:
        """(answer,)"""
        column: np.ndarray = self.facts[:, FACTS.index(name)]
        return column

    def best_order(self, measure: str, largest: bool = True) -> np.ndarray:
        """The largest or least that any order of the words reaches that was tried, (answer,)."""
        names = [name for name in self.names if name not in (RANDOM, ASCENDING, WORST)]
        values = np.stack([self.measure(measure, name) for name in names])
        found: np.ndarray = (np.fmax if largest else np.fmin).reduce(values)
        return found

    @property
    def rivals(self) -> list[str]:
        """The other explanations."""
        return [name for name in self.names if name not in (self.of, *BESIDE, FIRST)]


def best_of(numbers: Numbers, measure: str, names: Sequence[str]) -> np.ndarray:
    """A measure of the explanation that has the most of it on the other half of the documents, (answer,).

    The largest of many noisy means is too large, so no half scores what it has chosen. NaN for no names.
    """
    if not names:
        return np.full(len(numbers.documents), np.nan)
    values = np.stack([numbers.measure(measure, name) for name in names], 1)  # (answer, name)
    half, best = halves(numbers.documents), np.empty(len(values))
    for own in (0, 1):
        others = values[half != own]
        best[half == own] = values[half == own, means(others if len(others) else values).argmax()]
    return best


def halves(documents: np.ndarray) -> np.ndarray:
    """The half that each document belongs to, 0 or 1: the parity of its block."""
    half: np.ndarray = (documents % np.uint64(BLOCKS) % np.uint64(2)).astype(np.intp)
    return half


def means(values: np.ndarray) -> np.ndarray:
    """Means over the answers that have a value: (answer, ...) to (...); -inf where none has.

    >>> means(np.array([[1.0, np.nan], [2.0, np.nan]]))
    array([ 1.5, -inf])
    """
    known = ~np.isnan(values)
    counts = known.sum(0)
    return np.where(counts > 0, np.where(known, values, 0.0).sum(0) / np.maximum(counts, 1), -np.inf)

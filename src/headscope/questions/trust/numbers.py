"""The numbers of answers that claims are judged by: what an analysis leaves, by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

LEAVE_ONE_OUT, RANDOM, ASCENDING, BEST, WORST = "leave-one-out", "random", "ascending", "best", "worst"
BESIDE = (LEAVE_ONE_OUT, RANDOM, ASCENDING, BEST, WORST)
"""Orders of words that stand beside every explanation: chance (mean of 5 shuffles), the one on trial from its
other end, and the model's own best and worst."""

COMPREHENSIVENESS, SUFFICIENCY, AOPC = "comprehensiveness", "sufficiency", "aopc"
UNTIL, FLIPPED = "until", "flipped"
TAU, TOP, SIGNIFICANT = "tau", "top", "significant"
TAU_GRADIENT, TAU_DETACHED = "tau_gradient", "tau_detached"
FORWARD, BACKWARD = "forward", "backward"
MEASURES = (
    COMPREHENSIVENESS, SUFFICIENCY, AOPC, UNTIL, FLIPPED, TAU, TOP, SIGNIFICANT, TAU_GRADIENT, TAU_DETACHED,
    FORWARD, BACKWARD,
)  # fmt: skip

PROBABILITY, WORDS, RIGHT = "probability", "words", "right"
FACTS = (PROBABILITY, WORDS, RIGHT)


@dataclass(frozen=True)
class Numbers:
    """Numbers of explanations: values (answer, explanation, measure), facts (answer, fact), documents (answer,).

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

    @property
    def rivals(self) -> list[str]:
        """The other explanations."""
        return [name for name in self.names if name not in (self.of, *BESIDE)]

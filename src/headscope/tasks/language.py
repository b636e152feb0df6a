"""Language modelling: every predicted piece is an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from headscope.models import Sides
from headscope.tasks.metrics import PIECE_ACCURACY, Metric
from headscope.tasks.predictions import Predict
from headscope.tasks.task import Scores
from headscope.text import Cutter, Document, Spans


@dataclass(frozen=True)
class LanguageModelling:
    """A language model on running text, scored by the share of pieces that it holds for the likeliest.

    predict: how the model is run and what it is held to. hide: changes the inputs before, as masking does.
    """

    name: str
    predict: Predict
    hide: Callable[[Sides], Sides] | None = None
    metric: Metric = PIECE_ACCURACY
    replayable: ClassVar[bool] = True

    @property
    def cutter(self) -> Cutter:
        return Spans(pair=False)

    def check(self, document: Document) -> None:
        """Any text will do."""

    def prepare(self, sides: Sides) -> Sides:
        return sides if self.hide is None else self.hide(sides)

    def score(self, module: Any, sides: Sides) -> Scores:
        return Scores.of(*self.predict(module, sides))

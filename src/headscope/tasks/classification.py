"""One label for a text, or for a pair of texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch

from headscope.errors import InputError
from headscope.models import Sides
from headscope.tasks.labels import Labels
from headscope.tasks.metrics import ACCURACY, Metric
from headscope.tasks.task import Scores
from headscope.text import Cutter, Document, Texts


@dataclass(frozen=True)
class Classification:
    """A model with an output for each label, scored by its likeliest label; `pair`: texts with a second."""

    labels: Labels
    pair: bool = False
    metric: Metric = ACCURACY
    replayable: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return "pairs" if self.pair else "classification"

    @property
    def cutter(self) -> Cutter:
        return Texts(self.pair)

    def check(self, document: Document) -> None:
        self.labels.of_text(document)
        if self.pair and not (document.second or "").strip():
            raise InputError(f"document '{document.id}' has no second text; name its column (--second)")

    def prepare(self, sides: Sides) -> Sides:
        numbers = [self.labels.of_text(document) for document in sides.documents()]
        return replace(sides, labels=torch.tensor(numbers, device=sides.inputs["input_ids"].device))

    def score(self, module: Any, sides: Sides) -> Scores:
        assert sides.labels is not None
        return Scores.of(module(**sides.inputs).logits, sides.labels)

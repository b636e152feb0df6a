"""What every task offers: examples of documents, and a loss and a score for each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch

from headscope.models import Sides
from headscope.tasks.metrics import Metric
from headscope.tasks.predictions import example_losses, right_and_count
from headscope.text import Cutter, Document


@dataclass(frozen=True)
class Scores:
    """Of each example of a batch, in order, whatever else is in the batch.

    loss: (batch,), with its graph where gradients are on. statistics: (batch, statistic), float64, as the
    task's metric names them.
    """

    loss: torch.Tensor
    statistics: np.ndarray

    @classmethod
    def of(cls, logits: torch.Tensor, labels: torch.Tensor) -> Scores:
        """Where every label is one answer, right or wrong."""
        return cls(example_losses(logits, labels), right_and_count(logits, labels))


class Task(Protocol):
    """What a model is scored on.

    cutter: makes examples of documents. replayable: whether scoring is one forward pass; False where the
    model runs several times, as it does to generate.
    """

    @property
    def name(self) -> str: ...

    @property
    def metric(self) -> Metric: ...

    @property
    def cutter(self) -> Cutter: ...

    @property
    def replayable(self) -> bool: ...

    def check(self, document: Document) -> None:
        """Refuse a document that lacks what the task needs, such as a label that the model knows."""
        ...

    def prepare(self, sides: Sides) -> Sides:
        """Put the labels in, and hide what is to be predicted."""
        ...

    def score(self, module: Any, sides: Sides) -> Scores:
        """Run a prepared batch through the module with its task head."""
        ...

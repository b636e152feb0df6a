"""A task without labels for tests: is a fixed reading of the last states above zero?"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from headscope.models import Sides
from headscope.tasks.metrics import ACCURACY
from headscope.tasks.task import Scores
from headscope.text import Document, Spans


class Reading:
    """The loss of an example is the square of its reading, taken at the first piece or over all of them."""

    metric, cutter, replayable = ACCURACY, Spans(False), True

    def __init__(self, first: bool = True) -> None:
        self.first = first
        self.name = "classification" if first else "masked"
        self.passes = 0

    def check(self, document: Document) -> None:
        pass

    def prepare(self, sides: Sides) -> Sides:
        return sides

    def score(self, module: Any, sides: Sides) -> Scores:
        self.passes += 1
        outputs = module(**sides.inputs)
        states = outputs.logits[..., :8]
        weight = torch.linspace(-1, 1, 8, dtype=states.dtype)
        readings = states @ weight
        real = sides.inputs["attention_mask"].to(readings.dtype)
        if sides.labels is not None:
            real = (sides.labels != -100).to(readings.dtype)
        reading = readings[:, 0] if self.first else (readings * real).sum(1) / real.sum(1)
        right = (reading.detach() > 0).double().cpu().numpy()
        return Scores(reading**2, np.stack([right, np.ones_like(right)], 1))

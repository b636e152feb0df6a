"""What nets have right: over all sequences, and whether they have learned the task at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from headscope.questions.memory.learning import Kind
from headscope.questions.memory.nets import OfNets
from headscope.questions.memory.slowing import Arrays

Found = Mapping[Kind, Arrays]

LEARNED = 0.9
"""The share that a net has right at a short delay if it has learned the task. One that always gives the same
answer never forgets it, so what speeds tell of forgetting is asked of those that have learned.
"""


def named(kind: Kind) -> dict[str, Any]:
    """The columns that tell a model."""
    return {"net": kind.net, "curriculum": kind.curriculum, "seed": kind.seed}


def shares_of(question: OfNets, right: np.ndarray) -> np.ndarray:
    """Right answers to all sequences, (...), of shares of each class, (..., class)."""
    size, number = question.options.tested, question.options.classes
    return right @ np.bincount(np.arange(size) % number, minlength=number) / size


def has_learned(question: OfNets, arrays: Arrays) -> bool:
    """Whether a net answers right at the shortest delay, or at one of training where that is shorter."""
    return bool(shares_of(question, arrays["judged"]) >= LEARNED)

"""Weights as one byte each: square roots in 255 steps, so that small weights keep their order.

A step of the root is 1/255, so the error is about sqrt(weight)/255: 0.004 near 1, 0.0004 at 0.01.
"""

from __future__ import annotations

import numpy as np

STEPS = 255


def quantise(weights: np.ndarray) -> np.ndarray:
    """Weights from 0 to 1, any shape, as uint8; NaN becomes 0.

    >>> quantise(np.array([0.0, 0.25, 1.0]))
    array([  0, 128, 255], dtype=uint8)
    """
    roots = np.sqrt(np.clip(np.nan_to_num(weights), 0.0, 1.0))
    return np.rint(roots * STEPS).astype(np.uint8)


def restore(steps: np.ndarray) -> np.ndarray:
    """The weights that bytes stand for.

    >>> restore(np.array([0, 255], dtype=np.uint8))
    array([0., 1.])
    """
    restored: np.ndarray = (steps / STEPS) ** 2
    return restored

"""Since when something holds, over a series of checkpoints."""

from __future__ import annotations

import numpy as np


def onsets(better: np.ndarray) -> np.ndarray:
    """The first checkpoint from which all are better, (head,); -1 where the last one is not.

    better: (checkpoint, head) bool.

    >>> onsets(np.array([[True, False, True], [False, True, True], [True, True, False]])).tolist()
    [2, 1, -1]
    """
    for_good = np.logical_and.accumulate(better[::-1], axis=0)[::-1]
    return np.where(for_good.any(0), for_good.argmax(0), -1)

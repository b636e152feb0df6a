"""is needed: with even weights in its place, the answer would be another."""

from __future__ import annotations

import xarray as xr

from headscope.questions.trust.judging import Judged, held_to
from headscope.questions.trust.swapping import EVEN, MOVED


def needed(swapped: xr.Dataset, epsilon: float, seed: int) -> Judged:
    """How far the answer moves with even weights (total variation distance), held to epsilon."""
    moved = swapped["moved"].values[
        :, 0, swapped["swap"].values.tolist().index(EVEN), MOVED.index("variation")
    ]
    return held_to(moved, epsilon, swapped["document"].values, seed, above=True)

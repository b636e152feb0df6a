"""is unique: no very different weights would give the same answer (Jain and Wallace 2019, section 4.2.2)."""

from __future__ import annotations

from math import log

import xarray as xr

from headscope.questions.trust.judging import Judged, held_to
from headscope.questions.trust.swapping import FOUND

BOUND = log(2) / 2
"""Half of the largest Jensen-Shannon divergence that there is: what is further away is very different."""


def unique(adversaries: xr.Dataset, seed: int) -> Judged:
    """The median divergence of the furthest weights that answer alike, held to `BOUND`."""
    divergence = adversaries["found"].values[:, FOUND.index("divergence")]
    return held_to(divergence, BOUND, adversaries["document"].values, seed, above=False, median=True)

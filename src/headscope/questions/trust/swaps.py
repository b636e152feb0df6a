"""Tables of what other attention does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from headscope.questions.trust.judging import median_interval
from headscope.questions.trust.swapping import FACTS, FOUND, MOVED
from headscope.questions.trust.tables import interval, mean


def swaps_table(swapped: xr.Dataset, seed: int) -> pd.DataFrame:
    """A row for each scope and kind of attention put in the place of the model's own."""
    documents, rows = swapped["document"].values, []
    for place, scope in enumerate(swapped["scope"].values.tolist()):
        for number, swap in enumerate(swapped["swap"].values.tolist()):
            if np.isnan(swapped["moved"].values[:, place, number]).all():
                continue
            row: dict[str, Any] = {"scope": scope, "swap": swap}
            for measure in MOVED:
                values = swapped["moved"].values[:, place, number, MOVED.index(measure)]
                low, high = interval(values, documents, seed)
                row |= {measure: mean(values), f"{measure}_low": low, f"{measure}_high": high}
            rows.append({**row, "answers": len(documents)})
    return pd.DataFrame(rows)


def uniqueness_table(found: xr.Dataset, swapped: xr.Dataset | None, seed: int) -> pd.DataFrame:
    """One row: how far attention can be moved while the answer stays, and what a single weight does."""
    divergence, variation = (found["found"].values[:, FOUND.index(name)] for name in FOUND)
    low, high = median_interval(divergence, found["document"].values, seed)
    row: dict[str, Any] = {
        "answers": len(divergence),
        "divergence": float(np.median(divergence)),
        "low": low,
        "high": high,
        "variation": float(np.median(variation)),
        "half_variation": float(np.median(variation)) / 2,
    }
    assert swapped is not None
    facts = {name: swapped["fact_value"].values[:, place] for place, name in enumerate(FACTS)}
    row |= {"largest": mean(facts["largest"]), "conicity": mean(facts["conicity"])}
    top, other = facts["top_flips"] == 1, facts["other_flips"] == 1
    flips = {
        "only_top": top & ~other,
        "only_other": other & ~top,
        "both": top & other,
        "neither": ~top & ~other,
    }
    row |= {name: float(which.mean()) for name, which in flips.items()}
    more = facts["top_divergence"] - facts["other_divergence"]
    row |= {"mcnemar": mcnemar(int(flips["only_top"].sum()), int(flips["only_other"].sum()))}
    row |= {"more_divergence": mean(more), "more": mean(np.where(np.isnan(more), np.nan, more > 0))}
    return pd.DataFrame([row])


def mcnemar(one: int, other: int) -> float:
    """Exact two-sided p that as many pairs of one kind as of the other come by chance (McNemar 1947).

    >>> mcnemar(5, 0), mcnemar(0, 0)
    (0.0625, 1.0)
    """
    from scipy.stats import binomtest

    return float(binomtest(one, one + other).pvalue) if one + other else 1.0

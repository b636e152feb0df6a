"""Tables of what other attention does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from scipy.stats import binomtest

from headscope.measures.ranking import rank_agreement
from headscope.questions.trust.judging import median_interval
from headscope.questions.trust.swapping import FACTS, FOUND, MOVED, PERMUTED, SWAPS
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


def uniqueness_table(found: xr.Dataset, seed: int) -> pd.DataFrame:
    """One row: how far attention can be moved while the answer stays."""
    every = found["found"].values
    known = ~np.isnan(every).any(1)
    divergence, variation = (every[known, FOUND.index(name)] for name in FOUND)
    low, high = median_interval(divergence, found["document"].values[known], seed)
    row = {
        "answers": len(divergence),
        "without": int((~known).sum()),
        "divergence": float(np.median(divergence)) if known.any() else np.nan,
        "low": low,
        "high": high,
        "variation": float(np.median(variation)) if known.any() else np.nan,
        "half_variation": float(np.median(variation)) / 2 if known.any() else np.nan,
    }
    return pd.DataFrame([row])


def weights_table(swapped: xr.Dataset) -> pd.DataFrame:
    """One row: what single weights do, and how alike the vectors are that attention mixes."""
    facts = {name: swapped["fact_value"].values[:, place] for place, name in enumerate(FACTS)}
    moved = swapped["moved"].values[:, 0, SWAPS.index(PERMUTED), MOVED.index("variation")]
    top, other = facts["top_flips"] == 1, facts["other_flips"] == 1
    flips = {"only_top": top & ~other, "only_other": other & ~top, "both": top & other}
    flips["neither"] = ~top & ~other
    more = facts["top_divergence"] - facts["other_divergence"]
    row: dict[str, Any] = {
        "answers": len(top),
        **{name: float(which.mean()) for name, which in flips.items()},
        "mcnemar": mcnemar(int(flips["only_top"].sum()), int(flips["only_other"].sum())),
        "more_divergence": mean(more),
        "more": mean(np.where(np.isnan(more), np.nan, more > 0)),
        "largest": mean(facts["largest"]),
        "with_largest": float(rank_agreement(np.stack([facts["largest"], moved]))[0, 1]),
        "conicity": mean(facts["conicity"]),
    }
    return pd.DataFrame([row])


def mcnemar(one: int, other: int) -> float:
    """Exact two-sided p that as many pairs of one kind as of the other come by chance (McNemar 1947).

    >>> mcnemar(5, 0), mcnemar(0, 0)
    (0.0625, 1.0)
    """
    return float(binomtest(one, one + other).pvalue) if one + other else 1.0

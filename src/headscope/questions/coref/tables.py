"""The answers about coreference by type of mention: the best head, honestly scored, beside what is simple.

The best head is chosen on one half of the documents and scored on the other (`crossfit`). Whether it beats a
baseline is tested by flipping the signs of the blocks' differences; Holm's procedure corrects for the types.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.crossfit import Fit, by_halves, cross_fit, of_twins
from headscope.measures.statistics import bootstrap_interval, holm, ratio, sign_flip
from headscope.questions.coref.analysis import TYPES
from headscope.questions.coref.antecedents import BASELINES
from headscope.results.finding import LEVEL

PAPER: dict[str, dict[str, float]] = {
    "nearest": dict(zip(TYPES, (0.27, 0.29, 0.29, 0.19), strict=True)),
    "head match": dict(zip(TYPES, (0.52, 0.47, 0.67, 0.40), strict=True)),
    "sieves": dict(zip(TYPES, (0.69, 0.70, 0.77, 0.60), strict=True)),
    "head": dict(zip(TYPES, (0.65, 0.64, 0.73, 0.58), strict=True)),
}
"""Table 2 of Clark et al. 2019: BERT-base on CoNLL-2012; its head is 5-4, L4H3 counted from 0."""

TESTED = ("nearest", "head match")


def fit_heads(dataset: xr.Dataset) -> Fit:
    """The head of each type, chosen on the other half; of an analysis' arrays."""
    right = dataset["right"].transpose("block", "head", "type").values
    return cross_fit(right, dataset["count"].transpose("block", "type").values)


def heads_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head and type: how often it is right, beside the nearest mention."""
    right = dataset["baseline_right"].isel(baseline=BASELINES.index("nearest"), drop=True).sum("block")
    nearest = ratio(right.values, dataset["count"].sum("block").values)
    scores = xr.Dataset({"accuracy": dataset["accuracy"], "nearest": ("type", nearest)})
    columns = ["head", "stack", "layer", "index", "type", "accuracy", "nearest"]
    return scores.to_dataframe(["head", "type"]).reset_index()[columns]


def baselines_table(dataset: xr.Dataset, seed: int) -> pd.DataFrame:
    """One row per type and baseline, with its interval and the paper's number."""
    right = dataset["baseline_right"].transpose("block", "baseline", "type").values
    count = dataset["count"].transpose("block", "type").values[:, None]
    low, high = bootstrap_interval(right, np.broadcast_to(count, right.shape), seed)
    accuracy = ratio(right.sum(0), count.sum(0))
    rows = [
        {
            "type": kind,
            "baseline": name,
            "mentions": int(count[:, 0, column].sum()),
            "accuracy": accuracy[row, column],
            "low": low[row, column],
            "high": high[row, column],
            "paper": PAPER.get(name, {}).get(kind, np.nan),
        }
        for column, kind in enumerate(TYPES)
        for row, name in enumerate(BASELINES)
    ]
    return pd.DataFrame(rows)


def types_table(dataset: xr.Dataset, twins: Sequence[xr.Dataset], seed: int) -> pd.DataFrame:
    """One row per type: the best head, what it scores where it was not chosen, and what stands beside it."""
    fit = fit_heads(dataset)
    low, high = bootstrap_interval(fit.right, fit.count, seed)
    baseline = dataset["baseline_right"].transpose("baseline", "block", "type").values
    count = dataset["count"].sum("block").values
    same = dataset["accuracy"].fillna(-1)
    names = dataset["head"].values.astype(str)
    table: dict[str, object] = {
        "type": list(TYPES),
        "mentions": count.astype(int),
        "accuracy": fit.accuracy(),
        "low": low,
        "high": high,
        **by_halves("chosen", names, fit.chosen),
        "head": np.where(count > 0, names[same.argmax("head").values], ""),
        "same_data": dataset["accuracy"].max("head").values,
        **of_twins([fit_heads(twin).accuracy() for twin in twins]),
    }
    table |= {name: ratio(right.sum(0), count) for name, right in zip(BASELINES, baseline, strict=True)}
    for name in TESTED:
        # Half the documents may have chosen nothing for a type; then the baseline does not count there.
        above = fit.right - np.where(fit.count > 0, baseline[BASELINES.index(name)], 0.0)
        table[f"above_{name}"] = ratio(above.sum(0), fit.count.sum(0))
        table[f"p_{name}"] = holm(np.where(fit.count.any(0), sign_flip(above, seed), np.nan))
    # A twin that does as well owes it to the words and their places, and so may the head.
    is_better = np.asarray(table["p_nearest"]) < LEVEL
    table["found"] = is_better & ~(np.asarray(table["twin_high"]) >= fit.accuracy())
    table |= {f"paper_{name}": [PAPER[name][kind] for kind in TYPES] for name in PAPER}
    return pd.DataFrame(table).rename(columns=lambda name: name.replace(" ", "_"))

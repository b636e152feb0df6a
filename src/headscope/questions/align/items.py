"""Every head and layer in every reading, on all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from headscope.measures.links import error_rate, f1, precision, recall
from headscope.questions.align.readings import ARGMAX, MOVED, MOVES, RULES, THRESHOLD, THRESHOLDS, rules_of

AXES = ("item", "reference", "measure", "token")


def items_table(dataset: xr.Dataset, unit: str, fixed: np.ndarray) -> pd.DataFrame:
    """One row per head or layer, reference, measure and token; fixed: (reference,), of the best fixed links.

    Its error rate by what it attends to most; by the threshold that is best for it; and read so many words
    beside what it attends to most, where that is best: an encoder's state may hold its neighbour.
    """
    some = dataset["counts"].sum("block").isel(item=np.flatnonzero(dataset["unit"].values == unit))
    values = some.transpose(*AXES, "rule", "count").values
    errors, plain = error_rate(values), values[..., RULES.index(ARGMAX), :]
    shares, least = _least(errors[..., rules_of(THRESHOLD)])
    steps, moved = _least(errors[..., [*rules_of(ARGMAX), *rules_of(MOVED)]])
    columns = {
        "error": error_rate(plain), "precision": precision(plain), "recall": recall(plain), "f1": f1(plain),
        "threshold": np.array(THRESHOLDS)[shares], "threshold_error": least,
        "move": np.array([0, *MOVES])[steps], "moved_error": moved,
        "fixed": np.broadcast_to(fixed[None, :, None, None], plain.shape[:-1]),
    }  # fmt: skip
    index = pd.MultiIndex.from_product([some[name].values for name in AXES], names=AXES)
    table = pd.DataFrame({name: each.ravel() for name, each in columns.items()}, index=index).reset_index()
    places = ("stack", "layer", "index") if unit == "head" else ("stack", "layer")
    rows = int(np.prod(plain.shape[1:-1]))
    for number, name in enumerate(places, start=1):
        table.insert(number, name, np.repeat(some[name].values, rows))
    return table.rename(columns={"item": "head" if unit == "head" else "layer_name"})


def _least(errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the last axis is least, and how much; NaN where nothing is known."""
    known = np.where(np.isnan(errors), np.inf, errors)
    least = known.min(-1)
    return known.argmin(-1), np.where(np.isinf(least), np.nan, least)

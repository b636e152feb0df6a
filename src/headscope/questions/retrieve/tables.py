"""The tables of retrieve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.blocks import FEWEST
from headscope.models import Model
from headscope.questions.retrieve.needles import Trial

NAMED = 0.1
"""A head is named from this score on (Wu et al. 2024)."""


def heads_dataset(found: xr.Dataset, setting: Setting, made: Sequence[Trial]) -> xr.Dataset:
    """Score of each head over the trials that succeeded, its standard error, and that of a random key."""
    retrieved = found["retrieved"].values
    hits = found["hits"].values[retrieved]  # (trial, head)
    lengths = np.array([trial.length for trial in made])[retrieved]
    nothing = np.full(hits.shape[1], np.nan)
    score = hits.mean(0) if len(hits) else nothing
    error = hits.std(0, ddof=1) / np.sqrt(len(hits)) if len(hits) >= FEWEST else nothing
    chance = np.full_like(nothing, (1 / lengths).mean() if len(hits) else np.nan)
    data = {"score": score, "se": error, "chance": chance, "named": np.nan_to_num(score) >= NAMED}
    return xr.Dataset({name: ("head", values) for name, values in data.items()}, coords=setting.coordinates())


def retrieval_table(found: xr.Dataset, heads: xr.Dataset) -> pd.DataFrame:
    """One row: how many trials succeeded, and how many heads are named."""
    retrieved, named = found["retrieved"].values, heads["named"].values
    row = {
        "trials": len(retrieved),
        "retrieved": int(retrieved.sum()),
        "share": float(retrieved.mean()),
        "recall": float(found["recall"].mean()),
        "named": int(named.sum()),
        "of_heads": float(named.mean()),
    }
    return pd.DataFrame([row])


def heads_table(heads: xr.Dataset) -> pd.DataFrame:
    """One row per head, the best first."""
    table = heads.to_dataframe().reset_index()
    columns = ["head", "stack", "layer", "index", "score", "se", "chance", "named"]
    return table[columns].sort_values("score", ascending=False, kind="stable", ignore_index=True)


def trials_table(found: xr.Dataset, made: Sequence[Trial]) -> pd.DataFrame:
    """One row per needle."""
    return pd.DataFrame(
        {
            "length": [trial.length for trial in made],
            "depth": [trial.depth for trial in made],
            "needle": [trial.number for trial in made],
            "secret": [" ".join(trial.secret) for trial in made],
            "recall": found["recall"].values,
            "retrieved": found["retrieved"].values,
        }
    )


def removal_table(
    recalls: Mapping[str, np.ndarray], sets: Mapping[str, Sequence[Any]], model: Model
) -> pd.DataFrame:
    """One row per set of heads that was removed: what is still found in the trials that succeeded."""
    before = recalls["none"]
    rows = [
        {
            "removed": name,
            "heads": ", ".join(model.label(head) for head in sets.get(name, ())),
            "count": len(sets.get(name, ())),
            "recall": float(recall.mean()) if len(recall) else np.nan,
            "change": float((recall - before).mean()) if len(recall) else np.nan,
        }
        for name, recall in recalls.items()
    ]
    return pd.DataFrame(rows)

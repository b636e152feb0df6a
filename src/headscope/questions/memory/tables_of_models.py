"""The tables of a model: what probes read of a word, by layer and by how many tokens ago it stood."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from headscope.measures.statistics import mean_interval
from headscope.questions.memory.reading import OfModel, Read
from headscope.questions.memory.tables import exact_interval
from headscope.results.finding import LEVEL

DRAWS = 10_000


def tables_of_model(question: OfModel, read: Read) -> dict[str, pd.DataFrame]:
    """By layer and delay, and how far back each layer reaches."""
    reading = reading_table(question, read)
    return {"reading": reading, "reach": reach_table(reading)}


def reading_table(question: OfModel, read: Read) -> pd.DataFrame:
    """One row per layer and delay. Differences have intervals that hold for all cells at once."""
    right, seed = read.right.astype(float), question.options.seed
    shuffled = read.shuffled.astype(float)
    twin = np.mean(read.twins, axis=0) if read.twins else None
    cells = right.shape[0] * right.shape[1] * (1 if twin is None else 2)
    low, high = exact_interval(right.sum(-1), right.shape[-1])
    beside = {"shuffled": shuffled} if twin is None else {"shuffled": shuffled, "twin": twin}
    above = {
        name: (right - other, *mean_interval(right - other, read.blocks, seed, DRAWS, 1 - LEVEL / cells))
        for name, other in beside.items()
    }
    sure = np.logical_and.reduce([np.nan_to_num(ends[1], nan=-1.0) > 0 for ends in above.values()])
    rows = []
    for place, layer in enumerate(question.asked.layers):
        for number, delay in enumerate(question.delays):
            cell = (place, number)
            row: dict[str, Any] = {
                "layer": layer,
                "delay": delay,
                "accuracy": right[cell].mean(),
                "low": low[cell],
                "high": high[cell],
                "chance": 1 / question.options.classes,
            }
            for name in ("shuffled", "twin"):
                other, ends = beside.get(name), above.get(name)
                row[name] = np.nan if other is None else other[cell].mean()
                row[f"above_{name}"] = np.nan if ends is None else ends[0][cell].mean()
                row[f"above_{name}_low"] = np.nan if ends is None else ends[1][cell]
                row[f"above_{name}_high"] = np.nan if ends is None else ends[2][cell]
            rows.append({**row, "sure": bool(sure[cell])})
    return pd.DataFrame(rows)


def reach_table(reading: pd.DataFrame) -> pd.DataFrame:
    """One row per layer: the longest delay at which it surely tells the word."""
    rows = []
    for layer, own in reading.groupby("layer", sort=False):
        told = own[own["sure"]]
        farthest = told.iloc[-1] if len(told) else own.iloc[0]
        rows.append(
            {
                "layer": layer,
                "farthest": int(farthest["delay"]) if len(told) else 0,
                "accuracy": farthest["accuracy"],
                "low": farthest["low"],
                "high": farthest["high"],
                "twin": farthest["twin"],
                "shuffled": farthest["shuffled"],
                "any": bool(len(told)),
            }
        )
    return pd.DataFrame(rows)


def arrays_of_model(question: OfModel, read: Read) -> xr.Dataset:
    """`accuracy`, `shuffled` and `twin` (layer, delay)."""
    data = {"accuracy": read.right.mean(-1), "shuffled": read.shuffled.mean(-1)}
    if read.twins:
        data["twin"] = np.mean(read.twins, axis=0).mean(-1)
    coords = {"layer": list(question.asked.layers), "delay": list(question.delays)}
    return xr.Dataset({name: (("layer", "delay"), values) for name, values in data.items()}, coords=coords)

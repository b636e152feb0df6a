"""Tables of what erasing dimensions does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from headscope.measures.erasure import dimensions_until
from headscope.questions.sentences.outcomes import Outcomes
from headscope.questions.sentences.published import MAJORITY

LEADING, LISTED = 3, 10
"""Dimensions named in a row, and listed in a table of their own."""

FLIPS = ("flips", "chance")
"""Dimensions until an answer flips, those that speak for it first, or in random order."""


def erasure_table(outcomes: Outcomes) -> pd.DataFrame:
    """One row per task and layer: how many dimensions must go."""
    rows = [
        _erased(outcomes, task.name, place, layer)
        for task in outcomes.tasks
        for place, layer in enumerate(outcomes.layers)
    ]
    return pd.DataFrame(rows)


def _erased(outcomes: Outcomes, task: str, place: int, layer: int) -> dict[str, Any]:
    """Where the layer gains nothing over the majority, there is nothing to lose: NaN."""
    arrays = {name: values[place] for name, values in outcomes.model.erased[task].items()}
    curve, chance = arrays["curve"], arrays["random"]
    least = float(outcomes.beside[task][MAJORITY].mean())
    gains, most = curve[0] > least, arrays["effects"].size
    limits = {"half": (curve[0] + least) / 2, "fails": least}
    counts = {
        name + of: float(dimensions_until(values, limit)) if gains else np.nan
        for of, values in (("", curve), ("_random", chance))
        for name, limit in limits.items()
    }
    flips = {name: float(arrays[name]) if gains and arrays[name] <= most else np.nan for name in FLIPS}
    return {
        "task": task,
        "layer": layer,
        "dimensions": most,
        "accuracy": curve[0],
        "majority": least,
        **counts,
        "flips": flips["flips"],
        "flips_random": flips["chance"],
        "leading": ", ".join(map(str, np.argsort(-arrays["effects"], kind="stable")[:LEADING].tolist())),
    }


def dimensions_table(outcomes: Outcomes) -> pd.DataFrame:
    """One row per task, layer and dimension, of those that a classifier leans on most."""
    rows = []
    for task in (task.name for task in outcomes.tasks):
        for layer, effects in zip(outcomes.layers, outcomes.model.erased[task]["effects"], strict=True):
            for rank, dim in enumerate(np.argsort(-effects, kind="stable")[:LISTED].tolist(), start=1):
                row = {"task": task, "layer": layer, "dimension": dim, "rank": rank, "effect": effects[dim]}
                rows.append(row)
    return pd.DataFrame(rows)

"""What is printed after a run of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from headscope.questions.screens import Shown, percent, shown
from headscope.questions.sentences.published import LOGISTIC
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """Counts, the layers of each task, its baselines, and what erasing does at the chosen layer."""
    counts = ["task", "labels", "examples", "train", "tune", "test", "lacks"]
    yield shown(result, "sentence_tasks", counts)
    yield Shown("Right answers of logistic regression over each layer, in percent", _by_layer(result))
    title = "Without the model, in percent (* Conneau et al. 2018, table 2, on their data)"
    yield Shown(title, _beside(result))
    yield Shown(result.declaration("sentence_erasure").title, _erased(result))


def _by_layer(result: Result) -> pd.DataFrame:
    """One row per task: the layers, by the pooling that tuning chooses."""
    layers, rows = result.table("sentence_layers"), []
    for one in result.table("sentence_scores").itertuples():
        is_own = (layers["task"] == one.task) & (layers["pooling"] == one.pooling)
        own = layers[is_own & (layers["classifier"] == LOGISTIC)]
        shares = zip(own["layer"], own["accuracy"], strict=True)
        by_layer = {f"L{layer}": percent(share) for layer, share in shares}
        rows.append({"task": one.task, "pooling": one.pooling, **by_layer})
    return pd.DataFrame(rows)


def _beside(result: Result) -> pd.DataFrame:
    """One row per task: baselines, each with its published number, and the random twin."""
    baselines, rows = result.table("sentence_baselines"), []
    for task, twin in result.table("sentence_scores")[["task", "twin"]].to_numpy().tolist():
        own = baselines.loc[baselines["task"] == task, ["baseline", "accuracy", "published"]]
        shares = own.to_numpy().tolist()
        cells = {name: percent(share) + _starred(published) for name, share, published in shares}
        rows.append({"task": task, **cells, "random twin": percent(twin)})
    return pd.DataFrame(rows)


def _starred(published: Any) -> str:
    return f" ({percent(published)}*)" if published == published else ""


def _erased(result: Result) -> pd.DataFrame:
    """The row of the layer that tuning chose, of each task."""
    chosen = result.table("sentence_scores")[["task", "layer"]]
    table = chosen.merge(result.table("sentence_erasure"), on=["task", "layer"])
    columns = ["task", "layer", "half", "half_random", "fails", "fails_random", "flips", "leading"]
    return table[columns].rename(columns=lambda name: name.replace("_", " "))

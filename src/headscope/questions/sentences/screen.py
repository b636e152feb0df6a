"""What is printed after a run of sentences."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, percent, shown
from headscope.questions.sentences.published import LOGISTIC
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """Counts, every layer of each task beside its baselines, and what erasing does at the chosen layer."""
    yield shown(
        result, "sentence_tasks", ["task", "source", "labels", "examples", "train", "tune", "test", "lacks"]
    )
    title = "Right answers of logistic regression, in percent (* Conneau et al. 2018: bag of vectors)"
    yield Shown(title, _by_layer(result))
    yield Shown(result.declaration("sentence_erasure").title, _erased(result))


def _by_layer(result: Result) -> pd.DataFrame:
    """One row per task: baselines, the layers of the best pooling, the twin, the published number."""
    scores, layers = result.table("sentence_scores"), result.table("sentence_layers")
    baselines = result.table("sentence_baselines")
    rows = []
    for one in scores.itertuples():
        own = layers[
            (layers["task"] == one.task)
            & (layers["pooling"] == one.pooling)
            & (layers["classifier"] == LOGISTIC)
        ]
        beside = baselines[baselines["task"] == one.task].set_index("baseline")["accuracy"]
        rows.append(
            {
                "task": one.task,
                **{str(name).removeprefix("bag of "): percent(share) for name, share in beside.items()},
                "pooling": one.pooling,
                **{
                    f"L{layer}": percent(share)
                    for layer, share in zip(own["layer"], own["accuracy"], strict=True)
                },
                "twin": percent(one.twin),
                "published*": percent(one.published_vectors),
            }
        )
    return pd.DataFrame(rows).fillna("")


def _erased(result: Result) -> pd.DataFrame:
    """The row of the layer that tuning chose, of each task."""
    chosen = result.table("sentence_scores")[["task", "layer"]]
    table = chosen.merge(result.table("sentence_erasure"), on=["task", "layer"])
    columns = ["task", "layer", "dimensions", "half", "half_random", "fails", "fails_random", "flips", "leading"]
    return table[columns].rename(columns=lambda name: name.replace("_", " "))

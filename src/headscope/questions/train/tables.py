"""What training leaves to read beside its course: scores over seeds, and where checkpoints lie."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def seeds_table(trained: pd.DataFrame) -> pd.DataFrame:
    """One row per data set: mean, standard deviation, lowest and highest score over models.

    >>> scores = pd.DataFrame({"data": ["dev"] * 2, "metric": "accuracy", "score": [0.5, 0.7]})
    >>> seeds_table(scores)[["models", "mean", "lowest"]].round(3).values.tolist()
    [[2.0, 0.6, 0.5]]
    """
    groups = trained.groupby(["data", "metric"], sort=False)["score"]
    names = {"count": "models", "mean": "mean", "std": "deviation", "min": "lowest", "max": "highest"}
    return groups.agg(list(names)).rename(columns=names).reset_index()


def checkpoints_table(rows: Sequence[tuple[int, int, str]], training: pd.DataFrame) -> pd.DataFrame:
    """One row per checkpoint, with what its weights scored on the dev data; the untrained have no score."""
    table = pd.DataFrame(rows, columns=["seed", "epoch", "folder"])
    course = training.assign(epoch=training["epoch"].round().astype(int))
    return table.merge(course[["seed", "epoch", "dev_loss", "dev_score"]], how="left", on=["seed", "epoch"])

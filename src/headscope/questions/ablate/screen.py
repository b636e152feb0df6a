"""What is printed after an ablation."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The heads that matter, whole layers, and what importance would have said."""
    summary = result.table("ablation_summary")
    base = f"{summary['metric'][0]} {100 * summary['score'][0]:.2f} on {summary['data'][0]}"
    counts = summary.drop(columns=["data", "task", "metric", "score"])
    yield Shown(f"All heads in place: {base}", counts)
    heads = result.table("ablation").sort_values(["effect", "loss_effect"], ascending=[True, False])
    yield Shown("Heads that are missed most, in points", _points(heads.head(8)))
    yield Shown("Layers, in points", _points(result.table("ablation_layers")))
    for name, title in (
        ("importance_agreement", "Rank correlation of importance with the harm done"),
        ("ablation_agreement", "Effects on both data sets"),
    ):
        if name in result.tables:
            yield Shown(title, result.table(name))


def _points(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    points = table[["effect", "low", "high"]].map(lambda value: f"{100 * value:+.2f}")
    return _names(table).assign(
        score=(100 * table["score"]).map("{:.2f}".format),
        effect=points["effect"],
        interval=(points["low"] + " to " + points["high"]).where(table["low"].notna(), ""),
        p=table["p_adjusted"].map("{:.2g}".format),
        verdict=table["verdict"],
        loss=table["loss_effect"].map("{:+.4f}".format),
    )


def _names(table: pd.DataFrame) -> pd.DataFrame:
    """What was removed, as short as it can be said."""
    if "head" in table.columns:
        return table[["head"]]
    several = table["stack"].nunique() > 1
    layer = (table["stack"] + " " if several else "") + table["layer"].astype(str)
    removed = table["removed"].where(table["kept"] == "", "all but " + table["kept"])
    return table[[]].assign(layer=layer, removed=removed)

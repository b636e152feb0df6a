"""What is printed after a run of probe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from headscope.questions.screens import Shown, between, percent, readable, shown
from headscope.results.result import Result

HEADS_SHOWN = 5


def screen(result: Result) -> Iterator[Shown]:
    """The probes beside baselines and published numbers, and the heads they lean on."""
    title = "Heads found, in percent (* Clark et al. 2019, table 3: BERT-base, Penn Treebank)"
    yield Shown(title, _scores(result.table("probe_summary")))
    heads, says = result.table("probe_heads"), result.declaration("probe_heads")
    largest = heads.groupby("probe", sort=False).head(HEADS_SHOWN)
    yield Shown(says.title, readable(largest, says, ["probe", "head", "drop", "sure"]))
    if "probe_control" in result.tables:
        yield shown(result, "probe_control", ["probe", "uas", "control", "selectivity"])


def _scores(summary: pd.DataFrame) -> pd.DataFrame:
    """One row per probe, a column per measure."""
    scores = _wide(summary, "mean").map(percent)
    scores["interval"] = between(_wide(summary, "low")["uas"], _wide(summary, "high")["uas"], "-")
    scores["spread"] = _wide(summary, "spread")["uas"].map(percent)
    scores["published*"] = _wide(summary, "published").apply(_published, axis=1)
    columns = ["uas", "interval", "spread", "uas_tree", "uuas", "uuas_tree", "published*"]
    return scores[columns].reset_index().rename(columns=lambda name: name.replace("_", " "))


def _wide(summary: pd.DataFrame, values: str) -> pd.DataFrame:
    wide = summary.pivot(index="probe", columns="measure", values=values)
    return wide.reindex(summary["probe"].unique())


def _published(row: Any) -> str:
    if row["uas"] == row["uas"]:
        return f"{100 * row['uas']:.0f}"
    return f"{100 * row['uuas']:.0f} uuas" if row["uuas"] == row["uuas"] else ""

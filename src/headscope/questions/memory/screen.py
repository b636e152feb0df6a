"""What is printed after a run of memory."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, percent, shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """Accuracy by delay and what slow points say of it; or by layer and delay."""
    if "reading" in result.tables:
        reading = result.table("reading")
        yield Shown(
            "Right answers of probes by layer and delay in tokens, in percent", _wide(reading, "accuracy")
        )
        beside = "twin" if reading["twin"].notna().any() else "shuffled"
        named = {"twin": "random twins", "shuffled": "probes of shuffled labels"}[beside]
        yield Shown(f"The same of {named}, in percent", _wide(reading, beside))
        yield shown(result, "reach", ["layer", "farthest", "accuracy", "twin", "shuffled"])
        return
    yield Shown(result.declaration("retention").title + ", in percent", _by_delay(result))
    if "forgetting" in result.tables:
        table = result.table("forgetting")
        far = _told(table)
        columns = ["net", "scope", "delay", "models", "points", "spearman", "adjusted", "sure"]
        if len(far):
            yield Shown(result.declaration("forgetting").title, _rounded(far[columns]))
    if "slowed_change" in result.tables:
        table = result.table("slowed_change")
        far = _told(table)
        columns = ["net", "delay", "models", "speed", "speed_p", "change", "p"]
        shares = far[columns].assign(change=(100 * far["change"]).round(1))
        title = result.declaration("slowed_change").title
        if len(far):
            yield Shown(f"{title} (points)", _rounded(shares))


def _told(table: pd.DataFrame) -> pd.DataFrame:
    """The longest delay, of nets that have learned the task; of no others is anything told."""
    told: pd.DataFrame = table[(table["delay"] == table["delay"].max()) & (table["models"] > 0)]
    return told


def _by_delay(result: Result) -> pd.DataFrame:
    table = result.table("retention")
    wide = table.pivot_table("mean", ["net", "curriculum"], "delay", sort=False)
    wide = wide.map(percent).rename(columns=str)
    return wide.reset_index().rename_axis(columns=None)


def _wide(reading: pd.DataFrame, column: str) -> pd.DataFrame:
    wide = reading.pivot_table(column, "layer", "delay").map(percent).rename(columns=str)
    return wide.reset_index().rename_axis(columns=None)


def _rounded(table: pd.DataFrame) -> pd.DataFrame:
    table = table.reset_index(drop=True).rename(columns=lambda name: name.replace("_", " "))
    numbers = table.select_dtypes("float").columns
    table[numbers] = table[numbers].map(lambda value: "" if value != value else f"{value:.3g}")
    return table.assign(sure=table["sure"].map({True: "yes", False: ""})) if "sure" in table else table

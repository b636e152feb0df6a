"""What is printed after pruning."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.prune.options import RANDOM
from headscope.questions.screens import Shown, percent, shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The curves and the areas under them, and what the smaller model gains."""
    curves = result.table("pruning")
    known = curves[curves["order"] != RANDOM]
    names = ["task", "order"] if curves["task"].nunique() > 1 else ["order"]
    wide = known.pivot_table(index=names, columns="removed", values="score", sort=False)
    yield Shown("Score in percent by the number of heads removed", wide.map(percent).reset_index())
    yield shown(result, "pruning_areas", [*names, "area", "random", "beats", "p"])
    if "pruned_model" in result.tables:
        yield shown(result, "pruned_model")
    if "speed" in result.tables:
        yield Shown("Examples per second, milliseconds per batch", _speed(result.table("speed")))


def _speed(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    ratios = table[["ratio", "ratio_low", "ratio_high", "ceiling"]].map("{:.2f}".format)
    return table[["batch_size"]].assign(
        before=table["before"].map("{:,.1f}".format),
        after=table["after"].map("{:,.1f}".format),
        ms_before=(1000 * table["seconds_before"]).map("{:,.1f}".format),
        ms_after=(1000 * table["seconds_after"]).map("{:,.1f}".format),
        ratio=ratios["ratio"],
        spread=ratios["ratio_low"] + " to " + ratios["ratio_high"],
        ceiling=ratios["ceiling"],
    )

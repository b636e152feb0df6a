"""What is printed after a run of structure."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, both_of, readable, shown
from headscope.results.result import Result
from headscope.results.vocabulary import FALSE_TREES

ROWS = 8
NATS = ["kl", "even", *FALSE_TREES, "twin"]


def screen(result: Result) -> Iterator[Shown]:
    """The closest heads, how many follow trees, the trees themselves, and the curve where there is one."""
    heads, says = result.table("structure"), result.declaration("structure")
    own = heads[heads["target"] == "parent"].nsmallest(ROWS, "kl")
    if len(own):
        nats = own[NATS].round(2).rename(columns=lambda name: name.replace("_", " "))
        beside = readable(own, says, ["weight", "found"])
        yield Shown("Closest to parents, KL in nats", pd.concat([own["head"], nats, beside], axis=1))
    best = result.table("structure_best")
    choice = readable(best, result.declaration("structure_best"), ["target", "gain", "twin_high"]).round(2)
    choice.insert(1, "head", both_of(best, "head"))
    yield Shown("Farthest below even attention, scored where it was not chosen", choice)
    yield shown(result, "structure_trees")
    curves = result.table("structure_curves")
    if curves["checkpoint"].nunique() > 1:
        rows = curves[curves["target"] == "parent"]
        wide = rows.pivot_table("kl", ["series", "checkpoint", "stack"], "tree", sort=False).round(3)
        yield Shown("KL from parents by checkpoint, mean over heads", wide.reset_index())

"""What is printed after a run of structure."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, both_of, readable, shown
from headscope.results.result import Result
from headscope.results.vocabulary import FALSE_TREES, TRUE_TREE

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
        wide = by_tree(curves[curves["target"] == "parent"])
        yield Shown("KL from parents by checkpoint, mean over heads", wide.reset_index())


def by_tree(curves: pd.DataFrame) -> pd.DataFrame:
    """A row for each checkpoint and stack, a column for each kind of tree, also where it was never seen."""
    places = pd.MultiIndex.from_frame(curves[["series", "checkpoint", "stack"]])
    columns = {
        tree: curves["kl"].set_axis(places)[(curves["tree"] == tree).to_numpy()]
        for tree in (TRUE_TREE, *FALSE_TREES)
    }
    return pd.DataFrame(columns).reindex(places.unique()).round(3)

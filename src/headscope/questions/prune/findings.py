"""What pruning found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.prune.options import IMPORTANCE, RANDOM, REVERSED
from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result

SPARED = 0.01
"""So little of the score may be lost where heads are told to be spared: a point."""


def findings(result: Result) -> list[Finding]:
    """Whether importance tells what can go, how much, other orders, and what the smaller model gains."""
    return [*_importance(result), *_spared(result), *_other(result), *_smaller(result), *_faster(result)]


def _own(result: Result, name: str) -> pd.DataFrame:
    """The rows of this run's task; those of earlier runs stand behind them."""
    table = result.table(name)
    own: pd.DataFrame = table[table["task"] == table["task"][0]]
    return own


def _importance(result: Result) -> Iterator[Finding]:
    """The order that is asked about, of all that were tried: so nothing was chosen."""
    areas = _own(result, "pruning_areas")
    for row in areas.index[(areas["order"] == IMPORTANCE) & areas["p"].notna()]:
        is_sure = values_of(result, "pruning_areas", row)["p"] < LEVEL
        numbers = "the mean score on the way is {area}, in random orders {random} (p = {p})"
        claim = "emoving heads by {order} costs less than at random"
        text = f"R{claim}: {numbers}." if is_sure else f"That r{claim} is not shown: {numbers}."
        yield finding(result, "pruning_areas", row, text, decided=is_sure)


def _spared(result: Result) -> Iterator[Finding]:
    """The last step of that order before the score falls by more than a point."""
    steps = _own(result, "pruning")
    steps = steps[steps["order"] == IMPORTANCE]
    falls = (steps["change"] < -SPARED).cummax()
    for row in steps.index[~falls][-1:]:
        text = (
            "With {removed:n head} gone ({share}, by {order}), {metric} is {score}, a change of {change}; "
            "whether that is chance was not tested."
        )
        yield finding(result, "pruning", row, text, decided=False)


def _other(result: Result) -> Iterator[Finding]:
    """The best of the other orders."""
    areas = _own(result, "pruning_areas")
    others = areas[~areas["order"].isin((IMPORTANCE, REVERSED, RANDOM))]
    if len(others):
        text = (
            "Of other orders, “{order}” has the highest mean score, {area}; whether that is chance was not "
            "tested."
        )
        yield finding(result, "pruning_areas", others["area"].idxmax(), text, decided=False)


def _smaller(result: Result) -> Iterator[Finding]:
    sizes = result.tables.get("pruned_model", pd.DataFrame(columns=["what"]))
    for row in sizes.index[sizes["what"] == "parameters"]:
        text = "The smaller model keeps {after} of {before} parameters ({ratio})."
        yield finding(result, "pruned_model", row, text)


def _faster(result: Result) -> Iterator[Finding]:
    """At the largest batch, where the machine is busiest."""
    speed = result.tables.get("speed", pd.DataFrame())
    for row in speed.index[-1:]:
        is_faster = values_of(result, "speed", row)["ratio_low"] > 1
        numbers = "in batches of {batch_size}, {ratio:full} as fast, where {ceiling} could be reached"
        claim = "he smaller model is faster"
        text = f"T{claim}: {numbers}." if is_faster else f"That t{claim} is not shown: {numbers}."
        yield finding(result, "speed", row, text, decided=is_faster)

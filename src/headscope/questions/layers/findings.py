"""What layers found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pandas as pd

from headscope.questions.layers.tables import CONSTANT, CONTROL, TWIN
from headscope.results.finding import Finding, finding
from headscope.results.result import Result

SHOWN = 5
EVEN = 0.01
"""Bits from even weights below which the center of a mix is not worth telling: it is that of even weights."""


def findings(result: Result) -> list[Finding]:
    """Where tasks are solved, lowest and highest, and whether training and states are what it takes."""
    held = [_beside(result, CONSTANT), _places(result), _beside(result, TWIN), _beside(result, CONTROL)]
    return list(chain.from_iterable(held))[:SHOWN]


def _places(result: Result) -> Iterator[Finding]:
    tasks = result.table("layer_tasks")
    told = tasks.index[tasks["expected"].notna()].tolist()
    ends = list(dict.fromkeys([told[0], told[-1]])) if told else []
    for row in ends:
        which = _which(tasks.loc[told], row) if len(ends) > 1 else ""
        is_even = tasks["bits"][row] < EVEN
        mix = "the mix is nearly even" if is_even else "the center of gravity of the mix is {gravity}"
        text = (
            f"The task {{task}} is solved at layer {{expected:full}} on average{which}; {mix}, and all "
            "layers find {score:full}."
        )
        yield finding(result, "layer_tasks", row, text)
    for row in tasks.index[tasks["expected"].isna()].tolist()[: 2 - len(ends)]:
        text = (
            "Where {task} is solved is open: all layers together add {gained:full} to what the embeddings "
            "find."
        )
        yield finding(result, "layer_tasks", row, text, decided=False)


def _which(tasks: pd.DataFrame, row: int) -> str:
    """That a task is solved lowest or highest of all, where no other's interval reaches into its own."""
    others = tasks.drop(row)
    of = f"of the {len(tasks)} tasks that have one"
    if tasks["high"][row] < others["low"].min():
        return f", the lowest {of}"
    return f", the highest {of}" if tasks["low"][row] > others["high"].max() else ""


def _beside(result: Result, beside: str) -> Iterator[Finding]:
    """The task that is the least above a baseline, or the least surely so, where one is not."""
    table = result.table("layer_baselines")
    held = table[(table["beside"] == beside) & table["above"].notna()]
    if held.empty:
        return
    is_sure = bool(held["sure"].all())
    if is_sure and beside == CONSTANT:
        return  # as it should be
    row = held["above"].idxmin() if is_sure else held.loc[~held["sure"].astype(bool), "above"].idxmin()
    text = _SENTENCES[beside, is_sure] + ", a difference of {above:full}."
    yield finding(result, "layer_baselines", row, text, decided=is_sure)


_KNOWN = "{score} with all layers, {beside_score} with the most frequent label"
_BY_TWIN = "{score} with the model's layers, {beside_score} with those of a random twin"
_BY_HEART = "{score} in the task, {beside_score} in the control task"
_SENTENCES = {
    (CONSTANT, False): f"That the probe of {{task}} learned anything is not shown: {_KNOWN}",
    (TWIN, True): f"Training helped the layers in every task, least in {{task}}: {_BY_TWIN}",
    (TWIN, False): f"That training helped the layers with {{task}} is not shown: {_BY_TWIN}",
    (CONTROL, True): f"Probes do more than learn by heart, least in {{task}}: {_BY_HEART}",
    (CONTROL, False): f"That the probe of {{task}} does more than learn by heart is not shown: {_BY_HEART}",
}

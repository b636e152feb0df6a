"""What memory found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result

_OF_NET = ["net", "curriculum", "delay"]
BESIDE = {"twin": "random twins {twin}", "shuffled": "shuffled labels {shuffled}"}


def findings(result: Result) -> list[Finding]:
    """How far back a model's states reach; how long nets remember, and whether speed tells it."""
    made: list[Finding] = []
    if "reading" in result.tables:
        made += [*_farthest(result), *_near(result), *_first_layer(result)]
    if "retention" in result.tables:
        made += [*_kept(result), *_forgetting(result), *_slowed(result)]
    return made


def _kept(result: Result) -> Iterator[Finding]:
    """The net that remembers best and the one that remembers worst at the longest delay."""
    far = _longest(result.table("retention"))
    for row in dict.fromkeys((far["mean"].idxmax(), far["mean"].idxmin())):
        values = values_of(result, "retention", row)
        sure = bool(values["sure"])
        numbers = (
            "{mean:full} of the answers of {net} (trained by {curriculum}) are right after {delay:n word}"
        )
        if sure:
            text = f"{numbers}, where guessing gives {{chance}}: {{change}} since the shortest delay."
        elif _some_above(result.table("retention_models"), values):
            text = f"Whether every model is above guessing ({{chance}}) is open: {numbers}."
        else:
            text = f"That {{net}} remembers anything is not shown: {numbers}, guessing gives {{chance}}."
        yield finding(result, "retention", row, text, decided=sure)


def _some_above(models: pd.DataFrame, values: Mapping[str, Any]) -> bool:
    """Whether any model of a net is above guessing by its own interval."""
    own = models[(models[_OF_NET] == [values[name] for name in _OF_NET]).all(axis=1)]
    return bool((own["low"] > own["chance"]).any())


def _forgetting(result: Result) -> Iterator[Finding]:
    """Whether faster slow points forget more at the longest delay, pooled and within models."""
    if "forgetting" not in result.tables:
        return
    far = _longest(result.table("forgetting")).dropna(subset="spearman")
    own = far[(far["net"] == far["net"].iloc[-1]) & (far["scope"] != "between models")] if len(far) else far
    for row in own.index:
        values = values_of(result, "forgetting", row)
        numbers = "rank correlation {spearman} after {delay:n word} ({scope}, {models:n model})"
        if values["sure"] and values["spearman"] < 0:
            text = f"Faster slow points ({{net}}) forget more: {numbers}."
        elif values["sure"]:
            text = f"Faster slow points ({{net}}) forget less, against what was published: {numbers}."
        else:
            text = f"Whether faster slow points ({{net}}) forget more is open: {numbers}."
        yield finding(result, "forgetting", row, text, decided=bool(values["sure"]))


def _slowed(result: Result) -> Iterator[Finding]:
    """What the penalty does at the longest delay."""
    if "slowed_change" not in result.tables:
        return
    far = _longest(result.table("slowed_change")).dropna(subset="speed")
    if not len(far):
        return
    row = far["change"].abs().idxmax()
    sure = bool(values_of(result, "slowed_change", row)["adjusted"] < LEVEL)
    text = "With a penalty on it, the speed of slow points of {net} is {speed} times that without, and right "
    text += "answers after {delay:n word} change by {change}"
    text += "." if sure else "; whether that is chance is open, with {models:n model}."
    yield finding(result, "slowed_change", row, text, decided=sure)


def _farthest(result: Result) -> Iterator[Finding]:
    """The layer that reaches farthest."""
    reach = result.table("reach")
    row = reach.sort_values(["farthest", "accuracy"], kind="stable").index[-1]
    values = values_of(result, "reach", row)
    beside = _beside(values)
    reading = result.table("reading")
    told = reading[reading["above_shuffled_low"] > 0]
    if values["any"]:
        text = f"Layer {{layer}} tells the word {{farthest:n token}} later: {{accuracy:full}} right{beside}."
        yield finding(result, "reach", row, text)
    elif len(told):
        text = "That a layer tells the word better than a random twin is not shown: of layer {layer}, "
        text += f"{{accuracy:full}} are right {{delay:n token}} later{_beside(dict(told.iloc[-1]))}."
        yield finding(result, "reading", int(told.index[-1]), text, decided=False)
    else:
        text = (
            f"That any layer tells the word is not shown; layer {{layer}}: {{accuracy:full}} right{beside}."
        )
        yield finding(result, "reach", row, text, decided=False)


def _near(result: Result) -> Iterator[Finding]:
    """The layer that tells most right behind the word, and at the longest delay."""
    table = result.table("reading")
    for delay in dict.fromkeys((table["delay"].min(), table["delay"].max())):
        own = table[table["delay"] == delay]
        row = (own[own["sure"]] if own["sure"].any() else own)["accuracy"].idxmax()
        values = values_of(result, "reading", row)
        numbers = f"{{delay:n token}} later layer {{layer}} is best, {{accuracy:full}} right{_beside(values)}"
        text = f"{numbers}." if values["sure"] else f"Whether the word is told is open: {numbers}."
        yield finding(result, "reading", row, text, decided=bool(values["sure"]))


def _first_layer(result: Result) -> Iterator[Finding]:
    """What the embeddings tell, which see no other word."""
    table = result.table("reading")
    for row in table.index[table["layer"] == 0][:1]:
        text = (
            "The embeddings see one token alone: {accuracy:full} right {delay:n token} later, where guessing "
        )
        sure = bool(values_of(result, "reading", row)["sure"])
        text += "gives {chance}; "
        text += (
            "so the word leaves a trace in the token itself, such as its place."
            if sure
            else "that they tell the word is not shown."
        )
        yield finding(result, "reading", row, text, decided=sure)


def _longest(table: pd.DataFrame) -> pd.DataFrame:
    far: pd.DataFrame = table[table["delay"] == table["delay"].max()]
    return far


def _beside(values: dict[str, Any]) -> str:
    """What stands beside a probe, as far as it is known."""
    return "".join(f", {text}" for name, text in BESIDE.items() if values[name] == values[name])

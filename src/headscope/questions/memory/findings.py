"""What memory found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result


def findings(result: Result) -> list[Finding]:
    """How long nets remember, and whether speed tells it; or how far back a model's states reach."""
    if "reading" in result.tables:
        return [*_farthest(result), *_near(result), *_first_layer(result)]
    return [*_kept(result), *_forgetting(result), *_slowed(result)]


def _kept(result: Result) -> Iterator[Finding]:
    """The net that remembers best and the one that remembers worst at the longest delay."""
    table = result.table("retention")
    far = table[table["delay"] == table["delay"].max()]
    best, worst = far["mean"].idxmax(), far["mean"].idxmin()
    for row in dict.fromkeys((best, worst)):
        sure = values_of(result, "retention", row)["sure"]
        numbers = "{mean:full} of the answers of {net} (trained by {curriculum}) are right after {delay}"
        if sure:
            text = f"{numbers}, where guessing gives {{chance}}: {{change}} since the shortest delay."
        else:
            text = f"That {{net}} remembers anything is not shown: {numbers}, guessing gives {{chance}}."
        yield finding(result, "retention", row, text, decided=bool(sure))


def _forgetting(result: Result) -> Iterator[Finding]:
    """Whether faster slow points forget more, within models; of the longest delay, over most nets."""
    if "forgetting" not in result.tables:
        return
    table = result.table("forgetting")
    far = table[table["delay"] == table["delay"].max()]
    own = far[far["net"] == far["net"].iloc[-1]]
    for row in own.index[own["scope"] != "between models"]:
        values = values_of(result, "forgetting", row)
        numbers = "rank correlation {spearman} after {delay} ({scope}, {points} points of {models:n model})"
        if values["sure"] and values["spearman"] < 0:
            text = f"Faster slow points of {{net}} nets forget more: {numbers}."
        elif values["sure"]:
            text = f"Faster slow points of {{net}} nets forget less, against what was published: {numbers}."
        else:
            text = f"Whether faster slow points of {{net}} nets forget more is open: {numbers}."
        yield finding(result, "forgetting", row, text, decided=bool(values["sure"]))


def _slowed(result: Result) -> Iterator[Finding]:
    """What the penalty does at the longest delay."""
    if "slowed_change" not in result.tables:
        return
    table = result.table("slowed_change")
    far = table[table["delay"] == table["delay"].max()]
    row = far["change"].abs().idxmax()
    values = values_of(result, "slowed_change", row)
    sure = values["adjusted"] < LEVEL
    numbers = "slow points are {speed} times as fast, and right answers after {delay} change by {change}"
    text = f"With a penalty on their speed, {{net}}'s {numbers}"
    text += "." if sure else "; of {models:n model} that stays open."
    yield finding(result, "slowed_change", row, text, decided=bool(sure))


def _farthest(result: Result) -> Iterator[Finding]:
    """The layer that reaches farthest."""
    reach = result.table("reach")
    row = reach.sort_values(["farthest", "accuracy"], kind="stable").index[-1]
    values = values_of(result, "reach", row)
    beside = "random twins {twin}, shuffled labels {shuffled}"
    if values["any"]:
        text = f"Layer {{layer}} still tells the word after {{farthest}}: {{accuracy:full}} right, {beside}."
    else:
        text = (
            f"That any layer tells the word is not shown; layer {{layer}}: {{accuracy:full}} right, {beside}."
        )
    yield finding(result, "reach", row, text, decided=bool(values["any"]))


def _near(result: Result) -> Iterator[Finding]:
    """The layer that tells most right behind the word, and at the longest delay."""
    table = result.table("reading")
    for delay in (table["delay"].min(), table["delay"].max()):
        row = table.loc[table["delay"] == delay, "accuracy"].idxmax()
        sure = values_of(result, "reading", row)["sure"]
        numbers = "after {delay} layer {layer} is best, {accuracy:full} right, random twins {twin}"
        text = f"{numbers[0].upper()}{numbers[1:]}." if sure else f"That it is told is open: {numbers}."
        yield finding(result, "reading", row, text, decided=bool(sure))


def _first_layer(result: Result) -> Iterator[Finding]:
    """What the embeddings tell, which see no other word."""
    table = result.table("reading")
    rows = table.index[(table["layer"] == 0)]
    if len(rows):
        text = (
            "The embeddings, which see one token alone, tell it in {accuracy:full} after {delay}; guessing "
        )
        text += "gives {chance}."
        yield finding(result, "reading", rows[0], text, decided=False)

"""What ablation found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result
from headscope.results.vocabulary import BETTER, HARMLESS, UNDECIDED, WORSE

MOST = 5


def findings(result: Result) -> list[Finding]:
    """How many heads matter, the one that is missed most, layers, and whether importance tells."""
    made = [
        _summary(result), *_heads(result), *_layers(result), *_importance(result), *_alone(result),
    ]  # fmt: skip
    return made[:MOST]


def _summary(result: Result) -> Finding:
    counts = values_of(result, "ablation_summary", 0)
    numbers = "over {examples:n example} ({metric} {score} with all heads)"
    if counts[UNDECIDED] == counts["heads"]:
        text = f"Which heads the task needs is open: none of {{heads:n head}} could be decided {numbers}."
        return finding(result, "ablation_summary", 0, text, decided=False)
    said = ((WORSE, "missed"), (BETTER, "in the way"), (HARMLESS, HARMLESS))
    missed, hindering, harmless = (_counted(counts[verdict], verdict, what) for verdict, what in said)
    text = f"Of {{heads:n head}} removed one by one, {missed}, {hindering} and {harmless}"
    base = "({metric} {score} with all heads)"
    if counts[UNDECIDED]:
        left = f"the other {{{UNDECIDED}}}" if counts[UNDECIDED] > 1 else "the last one"
        do = "does" if counts["examples"] == 1 else "do"
        text += f"; {{examples:n example}} {do} not settle {left} {base}."
    else:
        text += f", over {{examples:n example}} {base}."
    return finding(result, "ablation_summary", 0, text)


def _counted(count: int, verdict: str, what: str) -> str:
    """So many heads are something, such as "2 are missed"."""
    return f"{{{verdict}}} {'is' if count == 1 else 'are'} {what}" if count else f"none is {what}"


def _heads(result: Result) -> Iterator[Finding]:
    """The head that is missed most, and that which is most in the way."""
    heads = result.table("ablation")
    effect = heads["effect"]
    missed, hindering = (heads[heads["verdict"] == verdict] for verdict in (WORSE, BETTER))
    change = "without it, the score changes by "
    if len(missed):
        row = missed["effect"].idxmin()
        text = f"Head {{head}} is missed most: {change}{_tested(result, 'ablation', row)}."
        yield finding(result, "ablation", row, text, head="head")
    elif effect.notna().any():
        yield _nearest(result)
    if len(hindering):
        row = hindering["effect"].idxmax()
        text = f"Head {{head}} is in the way: {change}{_tested(result, 'ablation', row)}."
        yield finding(result, "ablation", row, text, head="head")


def _nearest(result: Result) -> Finding:
    """The head that comes nearest to being missed, where none is: by the score, else by the loss."""
    heads = result.table("ablation")
    open_yet = "That any single head is missed is not shown"
    least = heads[heads["effect"] == heads["effect"].min()]
    loss = least["loss_effect"]
    row = loss.idxmax() if loss.notna().any() else least.index[0]
    if least.loc[row, "effect"] < 0:
        text = "nearest to it is {head}: without it, the score changes by {effect:full}, p = {p_adjusted}"
    elif loss.max() > 0:
        text = (
            "nearest to it is {head}: without it the loss rises by {loss_effect}, but the score does not fall"
        )
    else:
        text = f"{open_yet}: whichever one is removed, the score does not fall."
        return finding(result, "ablation", row, text, decided=False)
    return finding(result, "ablation", row, f"{open_yet}; {text}.", head="head", decided=False)


def _tested(result: Result, table: str, row: Any) -> str:
    """An effect that a test decided; its interval, which is wider than the test, only where that agrees."""
    values, of = values_of(result, table, row), "heads" if table == "ablation" else "layers"
    if values["low"] <= 0 <= values["high"]:
        return f"{{effect}}, p = {{p_adjusted}} corrected for all {of}"
    return "{effect:full}, p = {p_adjusted}"


def _layers(result: Result) -> Iterator[Finding]:
    """The layer that is missed most as a whole."""
    layers = result.table("ablation_layers")
    whole = layers[layers["kept"] == ""]
    if not len(whole) or whole["effect"].isna().all():
        return
    row = whole["effect"].idxmin()
    values = values_of(result, "ablation_layers", row)
    is_missed = values["verdict"] == WORSE
    if is_missed:
        change = f"without it, the score changes by {_tested(result, 'ablation_layers', row)}"
        text = f"Of whole layers, layer {{layer}} of the {{stack}} is missed most: {change}."
    else:
        matters = "is missed" if (whole["verdict"] == BETTER).any() else "matters"
        nearest = "the largest drop is that of" if values["effect"] < 0 else "nearest to it is"
        text = (
            f"That any layer {matters} is not shown; {nearest} layer {{layer}} of the {{stack}}: "
            "{effect:full}, p = {p_adjusted}."
        )
    yield finding(result, "ablation_layers", row, text, decided=is_missed)


def _importance(result: Result) -> Iterator[Finding]:
    """Whether the paper's importance goes with the harm to the loss."""
    agreement = result.tables.get("importance_agreement", pd.DataFrame())
    is_known = (result.table("ablation")["verdict"] == WORSE).any()
    what = "which heads are missed" if is_known else "what removing heads does to the {against}"
    for row in agreement.index[:1]:
        is_sure = values_of(result, "importance_agreement", row)["low"] > 0
        said = f"Importance by gradients foretells {what}"
        if not is_sure:
            said = f"Whether i{said[1:]} is open"
        text = f"{said}: its rank correlation with the harm to the {{against}} is {{spearman:full}}."
        yield finding(result, "importance_agreement", row, text, decided=is_sure)


def _alone(result: Result) -> Iterator[Finding]:
    """A layer in which one head is enough."""
    layers = result.table("ablation_layers")
    enough = layers[(layers["kept"] != "") & (layers["verdict"] == HARMLESS)]
    if len(enough):
        text = (
            "In layer {layer} of the {stack}, head {kept} alone is enough: without the others, the score "
            "changes by {effect:full}."
        )
        yield finding(result, "ablation_layers", enough["worst"].idxmax(), text, head="kept")

"""What ablation found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

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
    text = (
        f"Of {{heads:n head}} removed one by one, missed: {{{WORSE}}}, in the way: {{{BETTER}}}, "
        f"{HARMLESS}: {{{HARMLESS}}}, {UNDECIDED}: {{{UNDECIDED}}}; {numbers}."
    )
    return finding(result, "ablation_summary", 0, text)


def _heads(result: Result) -> Iterator[Finding]:
    """The head that is missed most, and that which is most in the way."""
    heads = result.table("ablation")
    effect = heads["effect"]
    missed, hindering = (heads[heads["verdict"] == verdict] for verdict in (WORSE, BETTER))
    change = "without it, the score changes by {effect:full}, p = {p_adjusted}"
    if len(missed):
        row = missed["effect"].idxmin()
        yield finding(result, "ablation", row, f"Head {{head}} is missed most: {change}.", head="head")
    elif effect.notna().any():
        text = f"Of single heads, {{head}} comes nearest to being missed, which may be chance: {change}."
        yield finding(result, "ablation", effect.idxmin(), text, head="head", decided=False)
    if len(hindering):
        text = f"Head {{head}} is in the way: {change}."
        yield finding(result, "ablation", hindering["effect"].idxmax(), text, head="head")


def _layers(result: Result) -> Iterator[Finding]:
    """The layer that is missed most as a whole."""
    layers = result.table("ablation_layers")
    whole = layers[layers["kept"] == ""]
    if not len(whole) or whole["effect"].isna().all():
        return
    row = whole["effect"].idxmin()
    change = "{effect:full}, p = {p_adjusted}"
    is_missed = values_of(result, "ablation_layers", row)["verdict"] == WORSE
    if is_missed:
        text = f"Of whole layers, layer {{layer}} of the {{stack}} is missed most: {change}."
    else:
        text = (
            f"That a layer is missed is not shown; layer {{layer}} of the {{stack}} comes nearest: {change}."
        )
    yield finding(result, "ablation_layers", row, text, decided=is_missed)


def _importance(result: Result) -> Iterator[Finding]:
    """Whether the paper's importance goes with the harm to the loss."""
    agreement = result.tables.get("importance_agreement", pd.DataFrame())
    for row in agreement.index[:1]:
        is_sure = values_of(result, "importance_agreement", row)["low"] > 0
        said = "Importance tells what is lost" if is_sure else "Whether importance tells what is lost is open"
        text = (
            f"{said}: by {{score}}, its rank correlation with harm to the {{against}} is {{spearman:full}}."
        )
        yield finding(result, "importance_agreement", row, text, decided=is_sure)


def _alone(result: Result) -> Iterator[Finding]:
    """A layer in which one head is enough."""
    layers = result.table("ablation_layers")
    enough = layers[(layers["kept"] != "") & (layers["verdict"] == HARMLESS)]
    if len(enough):
        text = "In layer {layer} of the {stack}, head {kept} alone is enough: {effect:full}."
        yield finding(result, "ablation_layers", enough["worst"].idxmax(), text, head="kept")

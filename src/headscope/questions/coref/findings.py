"""What coref found, in sentences."""

from __future__ import annotations

from typing import Any

from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result

SCORES = "right in {accuracy:full} of {mentions:n mention}, the nearest mention in {nearest}"


def findings(result: Result) -> list[Finding]:
    """Whether a head finds the antecedents of each type of mention, and whether it beats equal head words."""
    types = result.table("coref_types")
    rows = types.index[types["accuracy"].notna()]
    made = [_of_type(result, row) for row in rows]
    return [*made, *(_beside_words(result, row) for row in rows[:1])]


def _of_type(result: Result, row: Any) -> Finding:
    kind = values_of(result, "coref_types", row)
    finds = "the antecedents of {type} mentions"
    if not kind["found"]:
        is_twin = kind["p_nearest"] < LEVEL
        twin = "but a random twin is as good ({twin_high})"
        reason = twin if is_twin else "p = {p_nearest}, corrected for all types"
        text = f"That a head finds {finds} is not shown: the best is {SCORES}, {reason}."
        return finding(result, "coref_types", row, text, head="chosen", decided=False)
    if kind["chosen"] == kind["other_chosen"]:
        text = f"Head {{chosen}} finds {finds}: {SCORES}."
    else:
        heads = "Heads {chosen} and {other_chosen}, each chosen on half of the documents,"
        text = f"{heads} find {finds}: {SCORES}."
    return finding(result, "coref_types", row, text, head="chosen")


def _beside_words(result: Result, row: Any) -> Finding:
    is_above = values_of(result, "coref_types", row)["p_head_match"] < LEVEL
    how = "does better" if is_above else "is not shown to do better"
    text = f"Over {{type}} mentions, the best head {how} than the rule that takes the same head word"
    text += " ({above_head_match}, p = {p_head_match})."
    return finding(result, "coref_types", row, text, head="chosen", decided=is_above)

"""What a comparison found, in sentences."""

from __future__ import annotations

from typing import Any

from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result

CHANGED, UNCHANGED = 3, 2
"""So many measures in which heads changed are told, and so many in which none is known to have."""


def findings(result: Result) -> list[Finding]:
    """In what most heads changed, the largest change there, and in what none is known to have changed."""
    summary = result.table("differences_summary")
    summary = summary.sort_values("changed", ascending=False, kind="stable")
    changed = summary.index[summary["changed"] > 0][:CHANGED]
    # Of a pair with too few documents, its first measure says it for all.
    told = summary[(summary["judged"] > 0) | ~summary["pair"].duplicated()]
    unchanged = told.index[told["changed"] == 0][: UNCHANGED if len(changed) else CHANGED]
    made = [_changed(result, row) for row in changed]
    made[1:1] = [_largest(result, row) for row in changed[:1]]
    made += [_unchanged(result, row) for row in unchanged]
    return made[: CHANGED + UNCHANGED]


def _changed(result: Result, row: Any) -> Finding:
    text = f"{{changed}} of {{heads:n head}} ({{share}}) changed in {_measure(result, row)} ({{pair}})"
    return finding(result, "differences_summary", row, f"{text}.")


def _unchanged(result: Result, row: Any) -> Finding:
    if values_of(result, "differences_summary", row)["judged"]:
        text = f"In {_measure(result, row)} none of {{heads:n head}} is shown to have changed ({{pair}})."
    else:
        text = "{pair}: too few documents to tell any difference from chance, so nothing is claimed."
    return finding(result, "differences_summary", row, text, decided=False)


def _largest(result: Result, row: Any) -> Finding:
    """The largest difference behind a row of the summary."""
    own, table = values_of(result, "differences_summary", row), result.table("differences")
    same = (table["pair"] == own["pair"]) & (table["measure"] == own["measure"])
    largest = table.loc[same & table["significant"], "difference"].abs().idxmax()
    text = f"Head {{head}} changed most in {_measure(result, row)}, by {{difference:full}}."
    return finding(result, "differences", largest, text, head="head")


def _measure(result: Result, row: Any) -> str:
    """The measure in words; kinds of tokens are named as they are."""
    name = str(values_of(result, "differences_summary", row)["measure"])
    kind = name.removeprefix("to:").replace("{", "{{").replace("}", "}}")
    return f"attention to {kind}" if name.startswith("to:") else "{measure}"

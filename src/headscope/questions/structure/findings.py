"""What structure found, in sentences."""

from __future__ import annotations

from typing import Any

from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result

PARENT = "parent"
"""The target that the first sentences are about, as in the paper."""

WORDS = {"parent": "parents", "children": "children", "distance": "distances", "own": "distributions"}
"""What each target is called in a sentence."""

MOST = 3
"""Targets that are told of; one's own is the last."""


def findings(result: Result) -> list[Finding]:
    """The closest head, how many follow trees in each way, and since when."""
    best = result.table("structure_best")
    row = int((best["target"] == PARENT).argmax())
    return [_best(result, row), *_summary(result), *_onset(result)]


def _best(result: Result, row: int) -> Finding:
    best = values_of(result, "structure_best", row)
    if best["gain"] != best["gain"]:
        text = "Which head is closest to parents is open: one half of the documents has none to choose by."
        return finding(result, "structure_best", row, text, decided=False)
    one = best["head"] == best["other_head"]
    who = (
        "Head {head} is"
        if one
        else "Heads {head} and {other_head}, each chosen on half of the documents, are"
    )
    sure = bool(best["low"] > 0)
    if sure:
        text = f"{who} closest to parents: {{gain:full}} closer than even attention on other documents."
    elif best["high"] < 0:
        text = (
            f"{who} closest to parents, but no closer than even attention: the gain over it is {{gain:full}}."
        )
    else:
        open_still = "whether closer than even attention is open: the gain over it is {gain:full}"
        text = f"{who} closest to parents; {open_still}."
    return finding(result, "structure_best", row, text, head="head", decided=sure)


def _summary(result: Result) -> list[Finding]:
    table = result.table("structure_summary")
    made = []
    for row in range(len(table)):
        target = values_of(result, "structure_summary", row)
        what = WORDS[target["target"]]
        if not target["tested"]:
            text = (
                f"No head could be tested for {what}, so nothing was found: there are too few documents, or "
                "none of their sentences has a false tree of some kind."
            )
        elif target["found"]:
            are = "is" if target["found"] == 1 else "are"
            text = (
                f"Of {{heads:n head}}, {{found}} {are} closer to the {what} of true trees than to those of "
                "all false ones ({closer_swapped} than to those of other sentences)."
            )
        else:
            text = (
                f"Of {{heads:n head}}, none is shown to be closer to the {what} of true trees than to those "
                "of all false ones ({closer_swapped} than to those of other sentences)."
            )
        made.append(finding(result, "structure_summary", row, text, decided=bool(target["found"])))
    return made if len(made) <= MOST else [*made[: MOST - 1], made[-1]]


def _onset(result: Result) -> list[Finding]:
    if "structure_onsets" not in result.tables:
        return []
    onsets: Any = result.table("structure_onsets")
    own = onsets[onsets["target"] == PARENT]
    with_one = own[own["step"].notna()]
    if not len(with_one):
        text = "No head is shown to be closer to true parents than to those of other sentences for good."
        return [finding(result, "structure_onsets", own.index[0], text, decided=False)]
    first = with_one["step"].sort_values(kind="stable").index[0]
    text = (
        "The first head to be closer to true parents than to those of other sentences for good is {head}, "
        "from {checkpoint} on."
    )
    return [finding(result, "structure_onsets", first, text, head="head")]

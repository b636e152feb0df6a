"""What syntax found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from headscope.questions.syntax.phrases import phrase
from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result

ALL = "all"
MOST = 3
"""So many heads are named, those that are farthest above an offset."""

SCORES = "right in {accuracy:full} of CASES, the best fixed offset in {offset_accuracy}"


def findings(result: Result) -> list[Finding]:
    """The heads that know a relation, how many do, and what is closest to being found."""
    relations = result.table("relations")
    gain = relations["accuracy"] - relations["offset_accuracy"]
    ranked = relations[gain.notna()].loc[gain.dropna().sort_values(ascending=False, kind="stable").index]
    known, others = ranked[ranked["found"]], ranked[~ranked["found"] & ranked["p"].notna()]
    made = [_known(result, row) for row in known.index[:MOST]]
    made.append(_summary(result))
    made += [_open(result, row) for row in others.index[:1]]
    return made if len(made) > MOST else [*made, *_together(result, ranked)]


def _known(result: Result, row: Any) -> Finding:
    relation = values_of(result, "relations", row)
    links = f"{phrase(relation['relation'])} ({{relation}})"
    scores = _scores(relation)
    if relation["head"] == relation["other_head"]:
        return finding(result, "relations", row, f"Head {{head}} links {links}: {scores}.", head="head")
    text = f"Heads {{head}} and {{other_head}}, each chosen on half of the documents, link {links}: {scores}."
    return finding(result, "relations", row, text, head="head")


def _summary(result: Result) -> Finding:
    table = result.table("relations_summary")
    if not table["tested"][0]:
        text = "No relation could be tested, so nothing was found: none has the words that --least asks for."
    elif table["found"][0]:
        text = "For {found} of {tested:n relation} tested, a head does better than any fixed offset."
    else:
        text = "Of {tested:n relation} tested, none has a head that is shown to beat every fixed offset."
    return finding(result, "relations_summary", 0, text, decided=bool(table["found"][0]))


def _open(result: Result, row: Any) -> Finding:
    relation = values_of(result, "relations", row)
    if relation["p_holm"] < LEVEL:
        reason = "but a random twin is as good ({twin_high})"
    else:
        but = "but " if relation["accuracy"] > relation["offset_accuracy"] else ""
        reason = but + "p = {p_holm}, corrected for all relations tested"
    text = f"That a head links {phrase(relation['relation'])} ({{relation}}) is not shown: the best is "
    return finding(
        result, "relations", row, f"{text}{_scores(relation)}, {reason}.", head="head", decided=False
    )


def _together(result: Result, ranked: pd.DataFrame) -> Iterator[Finding]:
    for row in ranked.index[ranked["relation"] == ALL]:
        scores = _scores(values_of(result, "relations", row))
        text = (
            f"Over all relations together, the best head is {scores}; whether that is chance was not tested."
        )
        yield finding(result, "relations", row, text, head="head", decided=False)


def _scores(relation: Mapping[str, Any]) -> str:
    """How often it is right; a causal model is asked only about the pairs that it can see."""
    cases = (
        "{words:n case}" if relation["coverage"] == 1 else "the {coverage} of {words:n case} that it can see"
    )
    return SCORES.replace("CASES", cases)

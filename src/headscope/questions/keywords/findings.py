"""What keywords found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from headscope.questions.keywords.vocabulary import BY_BOTH, TFIDF
from headscope.results.finding import LEVEL, Finding, finding, values_of
from headscope.results.result import Result

_FEW = "so few documents give no interval"


def findings(result: Result) -> list[Finding]:
    """The best head, all heads together, whether two stand out, what is extracted, what the tagger needs."""
    return [
        *_best(result),
        *_together(result),
        *_standing_out(result),
        *_extracted(result),
        *_tagger(result),
    ][:5]


def _best(result: Result) -> Iterator[Finding]:
    row = values_of(result, "keyword_best", 0)
    is_one = row["head"] == row["other_head"]
    numbers = f"average precision {{auprc:full}} where {'it was' if is_one else 'they were'} not chosen, "
    numbers += "{tfidf} by TF-IDF"
    if row["found"]:
        heads = "Head {head} finds" if is_one else "Heads {head} and {other_head} find"
        text = f"{heads} keywords better than TF-IDF: {numbers}."
    elif not row["head"]:
        text = (
            "No head could be chosen: of the two halves into which the documents fall, one has no keyword in "
            "its text; more documents are needed."
        )
    else:
        claim = "That a head finds keywords better than TF-IDF is not shown"
        best = (
            "the best is {head}"
            if is_one
            else "the best are {head} and {other_head}, each of half of the documents"
        )
        text = f"{claim}, {_why_not(row)}; {best}: {numbers}."
    points_to = "head" if row["head"] else None
    yield finding(result, "keyword_best", 0, text, decided=bool(row["found"]), head=points_to)


def _why_not(row: Mapping[str, Any]) -> str:
    """The first thing that is missing."""
    if row["gain_low"] != row["gain_low"]:
        return "for which there are too few documents"
    if row["gain_high"] < 0:
        return "as TF-IDF finds them better, by a difference of {gain:full}"
    if row["gain_low"] <= 0:
        return "as the difference, {gain:full}, may be chance"
    if row["p_all"] >= LEVEL:
        return "as keywords may receive no more than words of equal frequency (p = {p_all})"
    if row["twin_high"] != row["twin_high"]:
        return "as no random twin was held against it"
    return "as a random twin is as good ({twin_high})"


def _together(result: Result) -> Iterator[Finding]:
    """All heads under a regression beside TF-IDF."""
    table = result.table("keyword_methods")
    row = int(table.index[table["method"] == BY_BOTH][0])
    base = table[table["method"] == TFIDF].iloc[0]
    own = table.iloc[row]
    is_shown = bool(own["low"] > base["high"])
    numbers = "average precision {auprc:full}"
    if is_shown:
        text = f"All heads together find keywords better than TF-IDF and than chance: {numbers}."
    else:
        reason = _unsure(own["low"], "TF-IDF")
        text = f"Whether all heads together find keywords better than TF-IDF is open, as {reason}: {numbers}."
    yield finding(result, "keyword_methods", row, text, decided=is_shown)


def _standing_out(result: Result) -> Iterator[Finding]:
    """Whether the second best head is far above the third."""
    heads = result.table("keyword_heads").sort_values("rank")
    if len(heads) < 3:
        return
    second, third = heads.iloc[1], heads.iloc[2]
    is_apart = bool(second["low"] > third["high"])
    row = int(heads.index[1])
    if is_apart:
        text = "Two heads stand out: the second best, {head}, has {auprc:full}, above all that follow."
    else:
        apart = "the intervals of the second and the third best overlap"
        reason = apart if second["low"] == second["low"] else _FEW
        text = f"That two heads stand out is not shown, as {reason}: "
        text += "the second best, {head}, has {auprc:full}."
    yield finding(result, "keyword_heads", row, text, decided=is_apart, head="head")


def _unsure(low: float, other: str) -> str:
    """Why two scores are not told apart; low: the lower end of the better one's interval."""
    return _FEW if low != low else f"its interval reaches that of {other}"


def _extracted(result: Result) -> Iterator[Finding]:
    """The best way to extract phrases; nothing is decided by it."""
    table = result.table("keyword_phrases")
    own = table[table["keys"] == "all"]
    if not own["f1_10"].notna().any():
        return
    row = int(own.index[int(own["f1_10"].argmax())])
    has_equals = (own["f1_10"] == own["f1_10"].max()).sum() > 1
    text = "In {documents:n document}, the first ten phrases by “{method}” score {f1_10} (harmonic mean of "
    if has_equals:
        text += "precision and recall), as by another way; none is better."
    else:
        text += "precision and recall), the most of all ways; that may be chance."
    yield finding(result, "keyword_phrases", row, text, decided=False)


def _tagger(result: Result) -> Iterator[Finding]:
    """Whether keyword skill is a better order to keep heads in than chance."""
    if "keyword_areas" not in result.tables:
        return
    table = result.table("keyword_areas")
    row = 0
    own = values_of(result, "keyword_areas", row)
    is_shown = bool(own["p"] < LEVEL)
    if is_shown:
        text = (
            "Heads that find keywords least can go first: the tagger scores {area} on average, {random} in "
            "random order."
        )
    else:
        text = (
            "That heads which find keywords least can go first is not shown: the tagger scores {area} on "
            "average, {random} in random order."
        )
    if len(table) and own["random"] == own["random"]:
        yield finding(result, "keyword_areas", row, text, decided=is_shown)

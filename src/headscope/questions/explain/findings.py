"""What explanations of a few texts show, in sentences; they claim nothing of other texts."""

from __future__ import annotations

from textwrap import shorten

from headscope.questions.findings import most_important
from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result

LONGEST = 60
"""Characters of a sentence that is told."""

ERASURE = "occlusion"
"""Told first: it asks the model what becomes of the answer without the token."""
MOST = 3
"""Explainers whose first token is told, one less where it is told what changes an answer."""


def findings(result: Result) -> list[Finding]:
    """What changes an answer, what mattered most for the first by a few explainers, and which agree."""
    told = [*_heads(result), *_flip(result), *_sentence(result)]
    return [*told, *_first(result, MOST - len(told)), *_agreement(result)]


def _sentence(result: Result) -> list[Finding]:
    """The sentence that mattered most for the first answer, of several."""
    if "sentences" not in result.tables:
        return []
    table = result.table("sentences")
    first = table.iloc[0]
    same = (table[["text", "answer", "explainer"]] == first[["text", "answer", "explainer"]]).all(axis=1)
    own = table[same & (table["sentence"] >= 0)]["share"].dropna()
    if len(own) < 2:
        return []
    says = shorten(values_of(result, "sentences", own.idxmax())["says"], LONGEST, placeholder=" …")
    says = says.replace("{", "{{").replace("}", "}}")
    text = (
        f"By {{explainer}}, “{says}” mattered most of the sentences of {{text}}: {{share}} of all importance."
    )
    return [finding(result, "sentences", own.idxmax(), text)]


def _flip(result: Result) -> list[Finding]:
    """The first answer that some words change."""
    answers = result.table("answers")
    text = "Without {without}, the answer " + ("{label} " if len(answers) > 1 else "") + "becomes {becomes}."
    return [finding(result, "answers", row, text) for row in answers["removed"].dropna().index[:1]]


def _heads(result: Result) -> list[Finding]:
    """The head that adds most to the first token, and the one that the model misses most."""
    if "made_by" not in result.tables:
        return []
    table = result.table("made_by")
    own = table[(table["text"] == table["text"].iloc[0]) & (table["place"] == table["place"].iloc[0])]
    adds = "Of all heads, {head} adds most to “{token}” directly: {direct}."
    missed = "Without {head}, the loss of “{token}” grows most: by {removed}."
    told = (("direct", adds), ("removed", missed))
    return [
        finding(result, "made_by", own[column].idxmax(), text, head="head")
        for column, text in told
        if own[column].max() > 0
    ]


def _first(result: Result, most: int) -> list[Finding]:
    table, answers = result.table("importance"), result.table("answers")
    own = table[(table["text"] == table["text"].iloc[0]) & (table["answer"] == 0)]
    own = own.sort_values("explainer", key=lambda names: names != ERASURE, kind="stable")
    label = str(answers["label"].iloc[0]).replace("{", "{{").replace("}", "}}")
    answer = f"the {'first ' if len(answers) > 1 else ''}answer, “{label}”"
    return most_important(result, own[own["explainer"].isin(_telling(result))], answer)[:most]


def _telling(result: Result) -> list[str]:
    """The explainers that look at the model: `random` and `first`, which run nothing, find nothing."""
    explainers = result.table("explainers")
    return explainers.loc[explainers["forward"] + explainers["backward"] > 0, "explainer"].tolist()


def _agreement(result: Result) -> list[Finding]:
    table, names = result.table("agreement"), _telling(result)
    tau = table[table["explainer"].isin(names) & table["other"].isin(names)]["tau"].dropna()
    if not len(tau):
        return []
    of = "this text" if result.table("answers")["text"].nunique() == 1 else "these texts"
    if len(tau) == 1:
        text = f"In {of}, {{explainer}} and {{other}} agree with a tau of {{tau}}."
        return [finding(result, "agreement", tau.index[0], text)]
    most = f"In {of}, {{explainer}} and {{other}} agree most, with a tau of {{tau}}."
    least = "Those that agree least are {explainer} and {other}, with a tau of {tau}."
    return [
        finding(result, "agreement", tau.idxmax(), most),
        finding(result, "agreement", tau.idxmin(), least),
    ]

"""What is printed after texts were explained."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

import pandas as pd

from headscope.questions.explain.called import answer_names, unit_of
from headscope.questions.screens import Shown, readable, shares_beside
from headscope.results.result import Result

ANSWERS, FEW = 3, 6
"""Answers that are shown, and explainers whose agreement is."""

LONGEST = 40
"""Signs of a sentence."""


def screen(result: Result) -> Iterator[Shown]:
    """Shares of the tokens of the first answers, agreement, and cost."""
    importance, answers = result.table("importance"), result.table("answers")
    for name, (_, answer) in zip(answer_names(result), answers.head(ANSWERS).iterrows(), strict=False):
        if "sentences" in result.tables:
            yield shares_beside(sentences_of(result, answer), name, "sentence")
        own = importance[(importance["text"] == answer["text"]) & (importance["answer"] == answer["answer"])]
        yield shares_beside(own[~own["special"]], name, unit_of(result))
    if len(answers) > ANSWERS:
        what = "texts" if answers["text"].is_unique else "answers"
        yield Shown(f"{ANSWERS} of {len(answers)} {what}; all are in the tables")
    yield from _heads(result)
    yield from _flips(result)
    yield from _agreement(result)
    says, columns = result.declaration("explainers"), ["explainer", "what", "forward", "backward"]
    yield Shown(says.title, readable(result.table("explainers").round(1), says, columns))


def sentences_of(result: Result, answer: pd.Series[Any]) -> pd.DataFrame:
    """The sentences of an answer's text in the place of tokens."""
    table = result.table("sentences")
    own = table[(table["text"] == answer["text"]) & (table["answer"] == answer["answer"])]
    own = own[own["sentence"] >= 0].rename(columns={"sentence": "place"})
    shown: pd.DataFrame = own.assign(token=[shorten(says, LONGEST, placeholder=" …") for says in own["says"]])
    return shown


def _heads(result: Result) -> Iterator[Shown]:
    """The heads that add most to the logits of the first tokens."""
    if "made_by" not in result.tables:
        return
    says, groups = (
        result.declaration("made_by"),
        result.table("made_by").groupby(["text", "place"], sort=False),
    )
    for (_, own), _ in zip(groups, range(ANSWERS), strict=False):
        most = own.sort_values("direct", key=abs, ascending=False, kind="stable").head(FEW)
        title = f"{says.title}: “{own['token'].iloc[0]}”"
        yield Shown(
            title, readable(most.round({"direct": 3, "removed": 3}), says, ["head", "direct", "removed"])
        )


def _flips(result: Result) -> Iterator[Shown]:
    """The words without which answers are others."""
    answers = result.table("answers").dropna(subset="removed").head(ANSWERS)
    if len(answers):
        title = "Words without which the answer is another"
        yield Shown(title, answers[["text", "label", "without", "becomes"]])


def _agreement(result: Result) -> Iterator[Shown]:
    """Tau of all pairs as a matrix; of many explainers, the pairs that agree most and least."""
    table = result.table("agreement").round({"tau": 2})
    names = list(dict.fromkeys([*table["explainer"], *table["other"]]))
    if len(names) > FEW:
        order = table.sort_values("tau", ascending=False, kind="stable")
        some = pd.concat([order.head(ANSWERS), order.dropna(subset="tau").tail(ANSWERS)]).drop_duplicates()
        yield Shown("Agree most and least", readable(some, result.declaration("agreement")))
    elif names:
        both = pd.concat([table, table.rename(columns={"explainer": "other", "other": "explainer"})])
        matrix = both.pivot_table("tau", "explainer", "other", dropna=False).reindex(names)[names]
        texts = matrix.map(lambda tau: "" if tau != tau else f"{tau:.2f}")
        yield Shown("How far they agree (Kendall's tau)", texts.rename_axis(columns=None).reset_index())

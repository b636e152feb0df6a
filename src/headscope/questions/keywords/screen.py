"""What is printed after a run of keywords."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, both_of, readable, shown
from headscope.results.result import Result

HEADS = 8
"""Heads that are shown."""


def screen(result: Result) -> Iterator[Shown]:
    """The best head, the first few, the methods, phrases, and what the tagger gave."""
    best = result.table("keyword_best")
    if best["head"].iloc[0]:
        yield Shown("Best head where it was not chosen (* found, see below)", _best(best))
    heads = result.table("keyword_heads").sort_values("rank").head(HEADS)
    reading = str(heads["reading"].iloc[0])
    columns = ["head", "relative", "matched", "auprc", "weight"]
    title = f"Heads by average precision ({reading} of attention received)"
    yield Shown(title, _rounded(heads[columns]))
    methods = result.table("keyword_methods")[["method", "features", "auprc", "f1"]]
    yield Shown("Ways to find key words, on test documents", _rounded(methods))
    phrases = result.table("keyword_phrases")
    own = phrases[phrases["keys"] == "all"]
    yield Shown(
        "F1 of the first phrases, all keys",
        readable(
            own,
            result.declaration("keyword_phrases"),
            ["method", "head", "reading", "f1_5", "f1_10", "f1_15"],
        ),
    )
    if len(result.table("keyword_published")):
        yield shown(result, "keyword_published")
    if "keyword_tagger" in result.tables:
        yield shown(result, "keyword_tagger", ["of", "f1", "published"])
        yield shown(result, "keyword_areas", ["order", "area", "random", "p"])
    if "keyword_speed" in result.tables:
        yield shown(result, "keyword_speed", ["order", "removed", "ratio"])


def _best(best: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    marks = best["found"].map({True: " *", False: ""})
    return pd.DataFrame(
        {
            "head": both_of(best, "head"),
            "reading": both_of(best, "reading"),
            "auprc": best["auprc"].map(_three) + marks,
            "interval": [_interval(low, high) for low, high in zip(best["low"], best["high"], strict=True)],
            "TF-IDF": best["tfidf"].map(_three),
            "random twin": best["twin"].map(_three),
        }
    )


def _interval(low: float, high: float) -> str:
    return "" if low != low else f"{_three(low)} to {_three(high)}"


def _rounded(table: pd.DataFrame) -> pd.DataFrame:
    """Numbers with three digits behind the point."""
    return pd.DataFrame({
        name: column.map(_three) if pd.api.types.is_float_dtype(column) else column
        for name, column in table.items()
    })  # fmt: skip


def _three(value: float) -> str:
    return "" if value != value else f"{value:.3f}"

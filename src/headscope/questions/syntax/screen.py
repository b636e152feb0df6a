"""What is printed after a run of syntax."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, between, percent
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The best head of each relation, and what stands beside it."""
    relations, published = result.table("relations"), result.table("published")
    if len(relations):
        yield Shown("Best heads, in percent (dep->head but where told; * found, see below)", _best(relations))
    if relations["found"].any():
        yield Shown("What the heads found give to special tokens, in percent", _special(relations))
    if len(published):
        title = "Best head chosen and scored on the same words, as published, in percent"
        yield Shown(title, published)


def _best(relations: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    known = relations["accuracy"].notna()
    reading = (" " + relations["reading"]).where(relations["reading"] != "dep->head", "")
    offset = relations["offset_accuracy"].map(percent) + " (" + relations["offset"] + ")"
    return relations[["relation", "words"]].assign(
        head=relations["head"] + reading,
        right=relations["accuracy"].map(percent),
        interval=between(relations["low"], relations["high"], "-"),
        offset=offset.where(known, ""),
        twin=relations["twin"].map(percent),
        p=relations["p_holm"].map(_p) + relations["found"].map({True: "*", False: ""}),
    )


def _special(relations: pd.DataFrame) -> pd.DataFrame:
    names = {"special_bearing": "from words that bear it", "special_others": "from others"}
    findings = relations[relations["found"]].rename(columns=names)
    shares = findings[list(names.values())].map(percent)
    return findings[["relation", "same_data_head", "same_data_reading"]].join(shares)


def _p(value: float) -> str:
    return "" if value != value else f"{value:.2g}"

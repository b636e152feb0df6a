"""What is printed after a run of syntax."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, between, both_of, percent, readable
from headscope.results.result import Result
from headscope.results.vocabulary import DEPENDENT_TO_HEAD

SPECIAL = ["relation", "same_data_head", "same_data_reading", "special_bearing", "special_others"]


def screen(result: Result) -> Iterator[Shown]:
    """The best head of each relation, and what stands beside it."""
    relations, published = result.table("relations"), result.table("published")
    says = result.declaration("relations")
    if len(relations):
        title = f"Best heads, in percent ({DEPENDENT_TO_HEAD} but where told; * found, see below)"
        yield Shown(title, _best(relations))
    if relations["found"].any():
        title = "What the heads found give to special tokens, in percent"
        yield Shown(title, readable(relations[relations["found"]], says, SPECIAL))
    if len(published):
        title = "Best head chosen and scored on the same words, as published, in percent"
        yield Shown(title, published)


def _best(relations: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    known = relations["accuracy"].notna()
    reading = both_of(relations, "reading")
    offset = relations["offset_accuracy"].map(percent) + " (" + relations["offset"].map("{:+g}".format) + ")"
    return relations[["relation", "words"]].assign(
        head=both_of(relations, "head") + (" " + reading).where(reading != DEPENDENT_TO_HEAD, ""),
        right=relations["accuracy"].map(percent),
        interval=between(relations["low"], relations["high"], "-"),
        offset=offset.where(known, ""),
        twin=relations["twin"].map(percent),
        p=relations["p_holm"].map(_p) + relations["found"].map({True: "*", False: ""}),
    )


def _p(value: float) -> str:
    return "" if value != value else f"{value:.2g}"

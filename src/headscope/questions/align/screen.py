"""What is printed after a run of align."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.align.readings import ANY, UNITS
from headscope.questions.screens import Shown, between, both_of, percent, readable
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The best head of each reading, what each change of the reading does, and other aligners.

    Of layers, and against a second reference, the best reading alone: the table has all.
    """
    alignment = result.table("alignment")
    for reference, table in alignment.groupby("reference", sort=False):
        fixed = percent(table["fixed"].iloc[0])
        title = f"Error rate against {reference}, in percent; diagonal or offset {fixed} (* found)"
        is_first = reference == alignment["reference"].iloc[0]
        yield Shown(title, _best(table[(table["measure"] == ANY) | (is_first & (table["unit"] == UNITS[0]))]))
    effects, says = result.table("align_effects"), result.declaration("align_effects")
    columns = ["change", "plain", "error", "effect", "p_adjusted"]
    yield Shown(says.title, readable(_first(effects), says, columns))
    yield Shown(result.declaration("aligners").title, _scores(_first(result.table("aligners")), "aligner"))
    if "align_joined" in result.tables:
        joined = _first(result.table("align_joined"))
        yield Shown(result.declaration("align_joined").title, _scores(joined, "joined"))


def _first(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first reference."""
    first: pd.DataFrame = table[table["reference"] == table["reference"].iloc[0]]
    return first


def _best(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit on a screen."""
    reading = table["measure"] + ", " + table["token"] + ", " + table["choice"]
    return pd.DataFrame(
        {
            "of": table["unit"],
            "reading": reading.where(table["measure"] != ANY, ANY),
            "best": both_of(table, "item").str.replace("cross:", ""),
            "error": table["error"].map(percent) + " (" + between(table["low"], table["high"], "-") + ")",
            "twin": table["twin"].map(percent),
            "p": table["p_adjusted"].map("{:.2g}".format) + table["found"].map({True: "*", False: ""}),
        }
    )


def _scores(table: pd.DataFrame, name: str) -> pd.DataFrame:
    shown = pd.DataFrame({name: table[name]})
    if "how" in table:
        shown[name] += (" (" + table["how"] + ")").where(table["how"] != "", "")
    shown["error"] = table["error"].map(percent)
    shown["interval"] = between(table["low"], table["high"], "-")
    for name in ("precision", "recall", "f1"):
        shown[name] = table[name].map(percent)
    return shown

"""Tidy tables on disk: tables/VERB/NAME.parquet with exact types, .csv for programs, .tex for a paper."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd

from headscope.errors import RunError, located
from headscope.results.declaration import Declaration
from headscope.results.files import RESTORE, write_atomically, write_text
from headscope.results.latex import to_latex

FOLDER = "tables"
LATEX_ROWS = 1000  # nobody prints more, and LaTeX chokes on them


def place_of_table(verb: str, name: str) -> str:
    """Where the table lies that is read back, within a run folder."""
    return f"{FOLDER}/{verb}/{name}.parquet"


def write_table(folder: Path, verb: str, name: str, table: pd.DataFrame, says: Declaration) -> None:
    """Write a table in each format, each in one step."""

    def as_parquet(path: Path) -> None:
        table.to_parquet(path, engine="pyarrow", index=False)

    def as_csv(path: Path) -> None:
        # All text is quoted: otherwise a lone carriage return in a word would end the row.
        table.to_csv(path, index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)

    base = folder / FOLDER / verb / name
    write_atomically(f"{base}.parquet", as_parquet)
    write_atomically(f"{base}.csv", as_csv)
    if len(table) <= LATEX_ROWS:
        write_text(f"{base}.tex", to_latex(table, says, f"tab:{verb}-{name}"))


def read_table(folder: Path, verb: str, name: str) -> pd.DataFrame:
    """Read a table with the types it was written with."""
    path = folder / place_of_table(verb, name)
    try:
        return pd.read_parquet(path, engine="pyarrow")
    except (OSError, ValueError) as error:
        message = f"cannot be read ({error}); {RESTORE}"
        raise RunError(located(path, None, message)) from error

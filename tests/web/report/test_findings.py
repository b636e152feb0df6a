"""Findings of a run with their numbers on a line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from headscope.results.declaration import SHARE, Column, Declaration
from headscope.results.result import Finding
from headscope.web.report.findings import finding_wire
from headscope.web.report.tables import RunTable
from headscope.web.report_wire import Mark

TABLE = pd.DataFrame(
    {
        "head": ["L0H0", "L0H1", "L0H2"],
        "score": [0.1, 0.5, np.nan],
        "low": [0.0, 0.4, np.nan],
        "high": [0.2, 0.65, np.nan],
        "gain": [1.0, 2.0, 3.0],
        "none": [0.5, 0.75, 1.0],
        "found": [True, False, True],
        "alone": [4.0, np.nan, 6.0],
        "endless": [np.inf, 2.0, 3.0],
        "texts": [0.25, "many", 3],
    }
)
SAYS = Declaration(
    "Mine",
    ("head",),
    {
        "score": Column("score", SHARE, low="low", high="high"),
        "gain": Column("gain", baseline="none"),
        "found": Column("found"),
    },
)


def mark(row: int, *columns: str, table: str = "mine") -> Mark | None:
    finding = Finding("A sentence.", table, row, columns=columns)
    return finding_wire("verb", finding, [RunTable("verb", "mine", TABLE, SAYS)]).mark


def test_the_first_number_with_an_interval() -> None:
    assert mark(1, "head", "gain", "score") == Mark(
        "score", "50 % (40 to 65 %)", 0.5, 0.4, 0.65, None, [0.1, 0.5, None]
    )


def test_else_one_that_stands_beside_another() -> None:
    assert mark(1, "head", "gain") == Mark("gain", "2", 2.0, None, None, 0.75, [1.0, 2.0, 3.0])
    assert mark(2, "score", "gain") == Mark("gain", "3", 3.0, None, None, 1.0, [1.0, 2.0, 3.0])


def test_a_number_among_others_needs_some() -> None:
    found = mark(0, "none")
    assert found is not None and (found.value, found.low, found.baseline) == (0.5, None, None)
    assert mark(0, "alone") is None


def test_a_number_that_names_a_row_is_none() -> None:
    seeds = pd.DataFrame({"seed": [0, 1, 2, 3], "loss": [0.5, 0.25, 0.75, 1.0]})
    says = Declaration("Seeds", ("seed",), {"seed": Column("seed"), "loss": Column("loss")})
    finding = Finding("Seed 1 was best (0.25).", "seeds", 1, columns=("seed", "loss"))
    found = finding_wire("verb", finding, [RunTable("verb", "seeds", seeds, says)]).mark
    assert found is not None and (found.says, found.value) == ("loss", 0.25)


def test_cells_that_hold_no_number_leave_the_others_theirs() -> None:
    found, endless = mark(0, "texts"), mark(1, "endless")
    assert found is not None and (found.value, found.others) == (0.25, [0.25, None, 3.0])
    assert endless is not None and endless.others == [None, 2.0, 3.0]


@pytest.mark.parametrize("columns", [(), ("head",), ("found",), ("gone",), ("endless",)])
def test_no_number_no_mark(columns: tuple[str, ...]) -> None:
    assert mark(0, *columns) is None


def test_a_table_that_is_not_there() -> None:
    assert mark(0, "score", table="lost") is None and mark(7, "score") is None

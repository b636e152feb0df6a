"""Tables that pages have from the evidence: what is committed is what would be written from what is kept."""

from __future__ import annotations

import pytest

from benchmarks.kept import Kept
from benchmarks.rows import told
from docs import measured, sized
from docs.measured import DOCS, NOT_MEASURED, Table, tables, with_tables
from headscope.errors import HeadscopeError

KEPT = Kept(
    "Speed: a test", "", True, 1.0, {"date": "2026-01-02 03:04 UTC", "commit": "1a2b"}, None, {},
    [
        told("gru: right (of 90)", 93.61, "%"), told("lstm: right (of 80)", 72.9, "%"),
        told("gru: score", "87.7 (87.0 to 88.1), JSD 0.118"),
        told("lstm: score", "81.6 (81.1 to 82.4), JSD nan"),
    ],
)  # fmt: skip


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "read", lambda part, folder: KEPT if part == "speed" else None)


@pytest.mark.parametrize("page", tables())
def test_pages_hold_what_would_be_written(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text("utf-8")
    assert with_tables(text, page) == text, "run `make written`"


def test_the_page_of_costs_holds_what_would_be_written() -> None:
    text = sized.PAGE.read_text("utf-8")
    assert sized.with_sizes(text) == text, "run `make written`"


def test_rows_and_columns_name_rows_of_the_evidence(kept: None) -> None:
    table = Table(
        "a", "speed", "@row: @column", {"GRU": "gru", "LSTM": "lstm"},
        {"right": "right (of {})", "score": "score = {} (*", "JSD": "score = *, JSD {}", "": "right ({}) = "},
    )  # fmt: skip
    assert table.lines(KEPT.rows) == [
        ["", "right", "score", "JSD", ""],
        ["GRU", "93.6 % (90)", "87.7", "0.118", "of 90"],
        ["LSTM", "72.9 % (80)", "81.6", "–", "of 80"],
    ]
    assert table.written().endswith(
        "From [Speed: a test](evidence.md#speed-a-test), measured 2026-01-02 at 1a2b."
    )


def test_rows_that_begin_alike_lose_the_beginning(kept: None) -> None:
    lines = [["measured", "value"], ["right (of 90)", "93.6 %"], ["score", "87.7 (87.0 to 88.1), JSD 0.118"]]
    assert Table("a", "speed", begins=("gru: ",)).lines(KEPT.rows) == lines


def test_of_several_rows_one_can_be_asked_for(kept: None) -> None:
    table = Table("a", "speed", "*: score = {} (*#@row", {"first": "1", "second": "2"})
    assert table.lines(KEPT.rows)[1:] == [["first", "87.7"], ["second", "81.6"]]


def test_a_part_that_was_not_measured_says_so(kept: None) -> None:
    assert Table("a", "memory", begins=("gru",)).written().startswith(NOT_MEASURED)


@pytest.mark.parametrize(
    "table",
    [
        Table("a", "speed", begins=("cnn",)),
        Table("a", "speed", "cnn: right*", {"CNN": ""}),
        Table("a", "speed", "*: score", {"all": ""}),
        Table("a", "speed", "*: score#3", {"all": ""}),
        Table("a", "speed", "gru: score = KL {}", {"GRU": ""}),
        Table("a", "speeed", begins=("gru",)),
    ],
)
def test_rows_that_are_not_there_or_not_the_only_ones_are_refused(kept: None, table: Table) -> None:
    with pytest.raises(HeadscopeError, match=r"docs/measured\.toml: a: "):
        table.written()


def test_every_row_of_other_tools_stands_in_one_table_of_their_page() -> None:
    begins = [begin for table in tables()["peers"] if table.part == "peers" for begin in table.begins]
    found = measured.read("peers", measured.COMPLETE.kept)
    assert found is not None
    for row in found.rows[1:]:  # the first names the text
        assert sum(row["name"].startswith(begin) for begin in begins) == 1, row["name"]

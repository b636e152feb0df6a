"""What pages tell of measurements: what is committed is what would be written from what is kept."""

from __future__ import annotations

import pytest

from benchmarks.kept import Kept
from benchmarks.rows import told
from docs import reproduced
from docs.reproduced import NOT_MEASURED, Claim, claims, measured, source, value_of
from docs.told import told_pages
from headscope.errors import HeadscopeError

KEPT = Kept(
    "Speed: a test", "", True, 1.0, {"date": "2026-01-02 03:04 UTC"}, None, {},
    [told("gru: lost (2 to 4)", 3.14159, "points"), told("curve: 1, 2, 3", ""), told("gru: kept", "all")],
)  # fmt: skip


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"speed": KEPT, "memory": None}
    monkeypatch.setattr(reproduced, "_kept", found.__getitem__)


def claim(row: str, part: str = "speed") -> Claim:
    return Claim("it forgets", "yes", part, row)


def test_pages_hold_what_would_be_written() -> None:
    for page, text in told_pages():
        assert page.read_text("utf-8") == text, f"{page.name}: run `make written`"


def test_every_paper_has_its_page_and_claims() -> None:
    assert {page.stem for page in reproduced.PAPERS.glob("*.md")} == set(claims()) == {
        "000", "001", "002", "003", "004",
    }  # fmt: skip


def test_a_value_is_told_with_what_its_name_holds(kept: None) -> None:
    assert measured(claim("gru: lost ({})")) == "3.14 points (2 to 4)"
    assert measured(claim("gru: lost (*)")) == "3.14 points"
    assert measured(claim("curve: {}")) == "1, 2, 3"
    assert source("speed") == "[Speed: a test](../evidence.md#speed-a-test), 2026-01-02"


def test_a_part_that_was_not_measured_says_so(kept: None) -> None:
    assert measured(claim("gru: anything", "memory")) == NOT_MEASURED
    assert source("memory") == "`--part memory`"


@pytest.mark.parametrize(("row", "count"), [("lstm: lost*", 0), ("gru: *", 2)])
def test_a_row_that_is_not_there_or_not_the_only_one_is_refused(kept: None, row: str, count: int) -> None:
    with pytest.raises(HeadscopeError, match=f"{count} rows of speed are called"):
        measured(claim(row))


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(HeadscopeError, match="no part 'speeed'"):
        source("speeed")


def test_signs_in_names_are_no_patterns() -> None:
    assert value_of(told("a (b) [c] +", 1), "a (b) [c] +") == "1"

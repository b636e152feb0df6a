"""What tables say about themselves: kept as it is, and never guessed."""

from __future__ import annotations

import pandas as pd
import pytest

from headscope.errors import RunError
from headscope.results.declaration import POINTS, SHARE, Card, Column, Declaration
from headscope.results.finding import finding
from headscope.results.reading import Cells, read, read_interval
from headscope.results.result import Result

FULL = Declaration(
    "Relations",
    ("relation", "reading"),
    {
        "relation": Column("relation"),
        "reading": Column("reading"),
        "accuracy": Column("right", SHARE, low="low", high="high", baseline="offset", better="higher"),
        "low": Column("lower end"),
        "high": Column("upper end"),
        "offset": Column("a fixed offset is right", SHARE),
        "verdict": Column("verdict", kind="category", levels=("worse", "better")),
        "way": Column("way", words={"in": "from inside"}, signed=True),
    },
    rest=Column("attention to {name}", SHARE),
    group="relation found",
    role=("role", "rule"),
    places=("x", "y"),
    profile=True,
    card=Card(("head",), "{relation}", "{accuracy} right", "found"),
)


@pytest.mark.parametrize("says", [FULL, Declaration("Empty", (), {})])
def test_what_is_written_is_read(says: Declaration) -> None:
    assert Declaration.from_plain(says.plain()) == says


@pytest.mark.parametrize(
    "content", [{}, {"title": "x", "row": [], "columns": []}, 3, {"columns": {"a": {"b": 1}}}]
)
def test_what_could_not_have_been_written_is_refused(content: object) -> None:
    with pytest.raises(RunError, match="declaration cannot be read"):
        Declaration.from_plain(content)


def test_a_row_in_words() -> None:
    assert FULL.row_in_words == "relation and reading"
    three = Declaration("", ("head", "a", "b"), {"a": Column("layer"), "b": Column("kind")})
    assert three.row_in_words == "head, layer and kind"


def test_only_columns_of_their_own_measure() -> None:
    frame = pd.DataFrame(
        {
            "relation": ["a"], "accuracy": [0.5], "low": [0.4], "high": [0.6], "offset": [0.3],
            "verdict": ["worse"],
            "[SEP]": [0.25], "note": ["text"], "x": [1.0], "kept": [True],
        }
    )  # fmt: skip
    assert [(name, kind) for name, _, kind in FULL.measured(frame)] == [
        ("accuracy", "number"), ("verdict", "category"), ("[SEP]", "number"), ("kept", "category"),
    ]  # fmt: skip
    assert FULL.column("[SEP]").says == "attention to [SEP]"


def test_values_for_reading() -> None:
    assert read(0.9149, Column("", SHARE)) == "91 %"
    assert read(-0.0004, Column("", POINTS)) == "0.0 points"
    assert read(float("nan"), Column("", SHARE)) == "not known"
    assert read(-3, Column("", signed=True)) == "-3"
    assert read(4, Column("", signed=True)) == "+4"
    assert read("in", Column("", words={"in": "from inside"})) == "from inside"
    assert read_interval(-0.02, 0.011, Column("", POINTS)) == "-2.0 to +1.1 points"
    assert read_interval(1.25, 2.5, Column("")) == "1.25 to 2.5"
    assert {read_interval(*ends, Column("")) for ends in ((float("nan"), 2.5), (1.25, None))} == {"not known"}


def test_a_row_fills_a_sentence_and_notes_what_it_filled() -> None:
    cells = Cells({"relation": "{x}", "accuracy": 0.9, "low": 0.88, "high": 0.93, "offset": 0.8}, FULL)
    text = cells.fill("{relation}: {accuracy:full}, the offset {offset}")
    assert text == "{x}: 90 % (88 to 93 %), the offset 80 %"
    assert cells.read == ["{x}", "90 % (88 to 93 %)", "80 %"]


@pytest.mark.parametrize(
    ("count", "told"), [(1, "1 pass, 1 branch, 1 box"), (2, "2 passes, 2 branches, 2 boxes")]
)
def test_counts_of_nouns_that_end_in_a_hiss(count: int, told: str) -> None:
    cells = Cells({"n": count}, Declaration("", (), {"n": Column("")}))
    assert cells.fill("{n:n pass}, {n:n branch}, {n:n box}") == told


def test_an_interval_comes_from_its_ends_or_from_an_error() -> None:
    says = Declaration("", (), {"share": Column("", SHARE, error="se"), "bare": Column("", SHARE)})
    cells = Cells({"share": 0.5, "se": 0.1, "bare": 0.25}, says)
    assert cells.fill("{share:full}, {bare:full}") == "50 % (30 to 70 %), 25 %"
    unknown = Cells({"share": 0.5, "se": float("nan")}, says)
    assert unknown.fill("{share:full}") == "50 %", "an interval that is not known is not told"


def test_counts_have_their_noun_and_sizes_no_sign() -> None:
    says = Declaration("", (), {"change": Column("", POINTS)})
    cells = Cells({"heads": 1, "others": 1200, "change": -0.031}, says)
    text = cells.fill("{heads:n head}, {others:n head}, {change:size}")
    assert text == "1 head, 1,200 heads, 3.1 points" and cells.read == ["1 head", "1,200 heads", "3.1 points"]


@pytest.mark.parametrize("how", ["", ":full", ":n head", ":size"])
@pytest.mark.parametrize("value", [float("nan"), None, pd.NA])
def test_what_is_not_known_is_said_to_be(value: object, how: str) -> None:
    says = Declaration("", (), {"share": Column("", SHARE, low="low", high="high")})
    assert Cells({"share": value, "low": 0.3, "high": 0.7}, says).fill(f"{{share{how}}}") == "not known"


def test_a_format_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be read as 'interval'; known are full, size and n NOUN"):
        Cells({"share": 0.5}, Declaration("", (), {})).fill("{share:interval}")


def test_a_word_as_long_as_a_page_is_cut() -> None:
    assert len(read("w" * 10_000, Column(""))) == 120


def test_a_finding_points_to_where_its_numbers_stand() -> None:
    frame = pd.DataFrame({"head": ["L0H0", "L1H2"], "accuracy": [0.1, 0.9]})
    result = Result("syntax", tables={"relations": frame}, declared={"relations": FULL})
    made = finding(result, "relations", 1, "{head} is right in {accuracy}.", head="head")
    assert (made.text, made.table, made.row, made.head) == ("L1H2 is right in 90 %.", "relations", 1, "L1H2")
    assert made.read == ("L1H2", "90 %")

"""What every verb says of its tables and of what it found, on one result of each: of models and data that
are noise."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pandas as pd
import pytest

from docs.writing import tables_of
from headscope.questions import VERBS, Verb
from headscope.questions.findings import findings_of
from headscope.questions.screens import readable
from headscope.results.declaration import Column, Declaration
from headscope.results.result import Result
from tests.questions.noise import noise_of

OPEN = re.compile(r"\b(open|not shown|not tested|may be|nothing|none|no head)\b", re.IGNORECASE)
"""One of these words is in each sentence that does not say what was found."""


@pytest.fixture(scope="module")
def answer_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Result]:
    """The result of a verb, made once and not to be changed."""
    return cache(lambda verb: noise_of(verb).answer(tmp_path_factory.mktemp(verb)))


@pytest.fixture(params=VERBS)
def result(request: pytest.FixtureRequest, answer_of: Callable[[str], Result]) -> Result:
    return answer_of(request.param)


def declared(result: Result) -> dict[str, tuple[pd.DataFrame, Declaration]]:
    return {name: (table, result.declaration(name)) for name, table in result.tables.items()}


def test_every_table_and_column_is_declared(result: Result) -> None:
    assert set(result.tables) == set(VERBS[result.verb].tables) == set(result.declared)
    for name, (table, says) in declared(result).items():
        assert says.undeclared(map(str, table.columns)) == [], name
        assert says.title and all(column.says for column in says.columns.values()), name


def test_every_declared_column_is_there(result: Result) -> None:
    """With what stands beside it: no declaration outlives its column."""
    for name, (table, says) in declared(result).items():
        assert set(says.columns) - set(table.columns) == set(), name
        of_heads = (says.role, says.otherwise, says.places, says.card and says.card.heads)
        named = {*says.row, *(column for columns in of_heads for column in columns or ())}
        for column in map(says.column, map(str, table.columns)):
            named |= set(column.beside.values())
        assert named <= set(table.columns), name


def test_a_row_is_what_it_is_said_to_be(result: Result) -> None:
    for name, (table, says) in declared(result).items():
        twice = table.duplicated(list(says.row)) if says.row else table.index > 0
        assert not twice.any(), name
        assert not says.about_heads or table["head"].notna().all(), name


@pytest.mark.parametrize("verb", VERBS)
def test_only_rows_about_one_head_are_said_to_be(verb: str) -> None:
    about = [name for name, says in VERBS[verb].tables.items() if says.about_heads]
    assert about == list(noise_of(verb).about_heads)


def test_words_of_a_category_are_among_its_levels(result: Result) -> None:
    for name, (table, says) in declared(result).items():
        for column in filter(lambda column: says.column(str(column)).levels, table.columns):
            assert set(table[column]) <= set(says.column(str(column)).levels), (name, column)


def test_shares_are_shares(result: Result) -> None:
    """A table in percent that calls itself a share would be printed a hundred times too large."""
    for name, (table, says) in declared(result).items():
        for column in table.columns:
            if says.column(str(column)).unit == "share":
                known = table[column].dropna().astype(float)
                assert known.between(-1e-9, 1 + 1e-9).all(), (name, column)


def test_tables_can_be_printed_and_kept(result: Result) -> None:
    for name, (table, says) in declared(result).items():
        assert len(readable(table, says)) == len(table), name
        assert Declaration.from_plain(says.plain()) == says, name


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_docs_list_every_column(verb: Verb) -> None:
    page = tables_of(verb)
    for name, says in verb.tables.items():
        assert f"`{name}`" in page
        assert all(f"`{column}`" in page for column in says.columns), name


def test_every_number_of_a_sentence_stands_in_its_row(result: Result) -> None:
    for one in findings_of(result):
        rest = one.text
        for filled in one.read:
            assert filled in rest, one
            rest = rest.replace(filled, "", 1)
        assert re.search(r"\d", rest) is None, rest
        assert one.row in result.table(one.table).index
        assert one.read or not one.decided, "what is found has its numbers"


def test_a_sentence_reads_as_one(result: Result) -> None:
    for one in findings_of(result):
        assert (
            re.fullmatch(r"[A-Z0-9].*\.", one.text) and "  " not in one.text and "not known" not in one.text
        )
        assert one.head is None or re.fullmatch(r"(\w+:)?L\d+H\d+", one.head)


def test_there_are_three_to_five_sentences(result: Result) -> None:
    fewest, most = noise_of(result.verb).sentences
    assert fewest <= len(findings_of(result)) <= most


def test_noise_gives_no_claim(result: Result) -> None:
    noise = noise_of(result.verb)
    made = [one for one in findings_of(result) if one.table not in noise.untested]
    assert noise.looks or [one.text for one in made if one.decided] == []


def test_what_is_open_is_said_to_be(result: Result) -> None:
    for one in findings_of(result):
        assert one.decided or OPEN.search(one.text), one.text


def test_a_column_can_fail_these_tests() -> None:
    says = Declaration("Gaps", ("head",), {"head": Column("head")})
    assert says.undeclared(["head", "gap"]) == ["gap"]
    assert OPEN.search("Head L0H1 is right.") is None

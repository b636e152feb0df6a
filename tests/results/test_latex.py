from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headscope.results.declaration import Column, Declaration
from headscope.results.latex import escape, round_number, to_latex


def body(table: pd.DataFrame) -> list[str]:
    lines = to_latex(table, Declaration("c", (), {}), "l").splitlines()
    return lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b & 5% of $2 #1 {x}", r"a\_b \& 5\% of \$2 \#1 \{x\}"),
        ("~^\\", r"\textasciitilde{}\textasciicircum{}\textbackslash{}"),
        ("<[SEP]>|", r"\textless{}{[}SEP{]}\textgreater{}\textbar{}"),
        ('"', r"{\char34}"),
        ("a\nb\tc\x00", "a b c "),
        ("ü長", "ü長"),
    ],
)
def test_every_special_character_is_escaped(text: str, expected: str) -> None:
    assert escape(text) == expected


@given(st.text())
def test_no_special_character_is_left_bare(text: str) -> None:
    known = r"\\text[a-z]+\{\}|\{\[\}|\{\]\}|\{\\char34\}|\\[&%$#_{}]"
    rest = re.sub(known, "", escape(text))
    assert not set(rest) & set('\\&%$#_{}~^<>|"[]\n\r')


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.12345, "0.123"),
        (0.5, "0.500"),
        (9.996, "10.0"),
        (99.96, "100"),
        (123456.0, "123000"),
        (999999.0, r"$1.00 \times 10^{6}$"),
        (0.00012345, "0.000123"),
        (0.000012345, r"$1.23 \times 10^{-5}$"),
        (-2.0e9, r"$-2.00 \times 10^{9}$"),
        (-0.0, "0"),
        (float("inf"), r"$\infty$"),
        (float("-inf"), r"$-\infty$"),
    ],
)
def test_reals_have_three_significant_digits(value: float, expected: str) -> None:
    assert round_number(value) == expected


def test_cells_by_type() -> None:
    table = pd.DataFrame(
        {
            "count": [123456, 2],
            "share": np.array([0.25, np.nan], np.float32),
            "word": ["a&b", None],
            "kept": [True, False],
        }
    )
    assert body(table) == [r"123456 & 0.250 & a\&b & True \\", r"2 & -- & -- & False \\"]
    assert r"\begin{tabular}{rrll}" in to_latex(table, Declaration("c", (), {}), "l")


def test_caption_and_column_names_are_escaped() -> None:
    text = to_latex(pd.DataFrame({"top_1%": [1]}), Declaration("50% & more", (), {}), "tab:x_y")
    assert r"\caption{50\% \& more}" in text
    assert r"\label{tab:x_y}" in text
    assert r"top\_1\% \\" in text


def test_a_caption_tells_what_columns_are_whose_names_do_not() -> None:
    columns = {"head": Column("head"), "effect": Column("change of the score", unit="points")}
    table = pd.DataFrame({"head": ["L0H0"], "effect": [0.1], "more": [1]})
    text = to_latex(table, Declaration("Without a head", ("head",), columns), "tab:x")
    assert r"\caption{Without a head. effect: change of the score (points).}" in text


def test_an_empty_table_and_twice_the_same_column() -> None:
    assert body(pd.DataFrame({"x": []})) == []
    assert body(pd.DataFrame([[1, 2.0]], columns=["x", "x"])) == [r"1 & 2.00 \\"]

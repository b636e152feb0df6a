"""A table as LaTeX, ready for a paper that loads booktabs.

Not by `DataFrame.to_latex`, which needs jinja2 and fails where our tables need it: it escapes no caption (a %
there swallows the rest), prints dep->head with a Spanish question mark in the default encoding, lets a row
that begins with [CLS] be read as an option of the line before, and keeps line ends and control characters in
cells. What it would save is the frame around the rows.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any
from unicodedata import category

import pandas as pd

from headscope.results.declaration import POINTS, Column, Declaration

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"{\char34}",  # \textquotedbl needs a font encoding that is not the default
        "[": "{[}",  # a row that starts with a bracket would be read as an option of the line break before
        "]": "{]}",
        **{char: f"\\{char}" for char in "&%$#_{}"},
    }
)
_UNPRINTED = {"Cc", "Zl", "Zp"}
_MISSING = "--"


def to_latex(table: pd.DataFrame, says: Declaration, label: str) -> str:
    """A table environment with booktabs rules; reals to 3 significant digits, points as such, counts in full.

    >>> columns = {"head": Column("head"), "best_score": Column("score", "points")}
    >>> says = Declaration("Heads", ("head",), columns)
    >>> print(to_latex(pd.DataFrame({"head": ["L3H7"], "best_score": [0.51234]}), says, "tab:heads"))
    \\begin{table}
    \\centering
    \\caption{Heads. best\\_score: score (points).}
    \\label{tab:heads}
    \\begin{tabular}{lr}
    \\toprule
    head & best\\_score \\\\
    \\midrule
    L3H7 & 51.2 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table}
    <BLANKLINE>
    """
    columns = [_in_unit(table.iloc[:, place], says) for place in range(table.shape[1])]
    align = "".join("r" if _is_number(column) else "l" for column in columns)
    rows = zip(*([_cell(value) for value in column] for column in columns), strict=True)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape(caption(table, says))}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        _row(escape(str(name)) for name in table.columns),
        r"\midrule",
        *(_row(row) for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _in_unit(column: pd.Series, says: Declaration) -> pd.Series:
    """Tables keep differences of shares; a reader of points takes 0.01 for one."""
    return 100 * column if _is_number(column) and says.column(str(column.name)).unit == POINTS else column


def caption(table: pd.DataFrame, says: Declaration) -> str:
    """The title, and what every column is whose name does not tell."""
    columns = {str(name): says.column(str(name)) for name in table.columns}
    told = [f"{name}: {_told(column)}" for name, column in columns.items() if _told(column) != name]
    return f"{says.title}. {'; '.join(told)}." if told else says.title


def _told(column: Column) -> str:
    return f"{column.says} ({column.unit})" if column.unit else column.says


def escape(text: str) -> str:
    """Text in which LaTeX finds no command; line ends and control characters become spaces.

    >>> print(escape("50% of x_1\\n& more"))
    50\\% of x\\_1 \\& more
    """
    return "".join(" " if category(char) in _UNPRINTED else char for char in text).translate(_SPECIAL)


def round_number(value: float) -> str:
    r"""A real number to 3 significant digits.

    >>> [round_number(x) for x in (0.5, 12.345, 1234.5, 0.0, float("nan"))]
    ['0.500', '12.3', '1230', '0', '--']
    >>> print(round_number(-0.25), round_number(1.5e-7))
    $-$0.250 $1.50 \times 10^{-7}$
    """
    if math.isnan(value):
        return _MISSING
    if math.isinf(value):
        return r"$\infty$" if value > 0 else r"$-\infty$"
    if value == 0:
        return "0"
    sign = "$-$" if value < 0 else ""
    digits, exponent = f"{abs(value):.2e}".split("e")
    power = int(exponent)
    if not -4 <= power < 6:
        return rf"${'-' if value < 0 else ''}{digits} \times 10^{{{power}}}$"
    return f"{sign}{float(f'{digits}e{power}'):.{max(0, 2 - power)}f}"


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _row(cells: Any) -> str:
    return " & ".join(cells) + r" \\"


def _cell(value: Any) -> str:
    if value is None or value is pd.NA or value is pd.NaT:
        return _MISSING
    if isinstance(value, Real) and not isinstance(value, bool | Integral):
        return round_number(float(value))
    return escape(str(value))

"""Rows of evidence: a measured value beside what was hoped for and what is still accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict


class Row(TypedDict):
    """One line of a table; target and limit are empty where a value is only told.

    details: what is counted in the value, by name, each with what there is to say of it.
    """

    name: str
    value: float | str
    unit: str
    target: str
    limit: str
    passed: bool
    details: NotRequired[dict[str, str]]


def at_most(name: str, value: float, unit: str, target: float, limit: float | None = None) -> Row:
    """A value that should not exceed its target and must not exceed its limit (the target, if not given).

    >>> at_most("ratio", 1.3, "x", 1.15, 1.5)["passed"], at_most("ratio", 1.6, "x", 1.15, 1.5)["passed"]
    (True, False)
    """
    limit = target if limit is None else limit
    return _row(name, value, unit, f"≤ {target:g}", f"≤ {limit:g}", value <= limit)


def at_least(name: str, value: float, unit: str, target: float) -> Row:
    """A value that must reach its target.

    >>> at_least("faster", 60, "x", 50)["passed"]
    True
    """
    return _row(name, value, unit, f"≥ {target:g}", f"≥ {target:g}", value >= target)


def told(name: str, value: float | str, unit: str = "") -> Row:
    """A value that nothing is asked of."""
    return _row(name, value, unit, "", "", True)


def _row(name: str, value: float | str, unit: str, target: str, limit: str, passed: bool) -> Row:
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "target": target,
        "limit": limit,
        "passed": bool(passed),
    }


def written(value: float | str) -> str:
    """A value with three significant digits, without an exponent where none is needed.

    >>> written(1.23456), written(1234.5), written("no")
    ('1.23', '1,234', 'no')
    """
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def show(title: str, rows: Sequence[Row]) -> list[Row]:
    """Print rows under a title and hand them back."""
    print(f"\n{title}")
    for row in rows:
        asked = f"target {row['target']}, limit {row['limit']}" if row["limit"] else ""
        mark = "ok  " if row["passed"] else "FAIL"
        print(f"  {mark} {row['name']}: {written(row['value'])} {row['unit']}  {asked}".rstrip(), flush=True)
    return list(rows)

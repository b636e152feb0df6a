"""Numbers as the page gets them: few digits, and None where there is none."""

from __future__ import annotations

import math
from collections.abc import Iterable

DIGITS = 6
"""Significant ones: more than any interval here bears, and a third of the bytes."""


def rounded(value: float) -> float | None:
    """One number.

    >>> rounded(0.12345678), rounded(float("nan")), rounded(float("inf"))
    (0.123457, None, None)
    """
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def all_rounded(values: Iterable[float]) -> list[float | None]:
    """Many numbers."""
    return [rounded(value) for value in values]

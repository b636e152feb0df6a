"""A sample of a large set of cases for every run; the others run with the slow tests."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], always: Container[Any]) -> list[Any]:
    """The cases as parameters; those that are not in `always` are marked slow."""
    return [_parameter(case, () if case in always else (pytest.mark.slow,)) for case in cases]


def _parameter(case: Any, marks: tuple[pytest.MarkDecorator, ...]) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks)

"""What is printed after a survey."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The roles, and whether layers are alike."""
    yield Shown("What the heads do", result.table("roles"))
    if "layers" in result.tables:
        yield Shown("Are heads of one layer alike?", result.table("layers"))

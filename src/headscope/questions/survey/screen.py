"""What is printed after a survey."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The roles, and whether layers are alike."""
    yield shown(result, "roles", ["role", "heads", "best", "score", "rule"])
    if "layers" in result.tables:
        yield shown(result, "layers")

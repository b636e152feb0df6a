"""What is printed after heads were shown."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """The strongest link of each token, and what changed where heads were switched off."""
    told = result.arrays["maps"].attrs
    yield Shown(f"Strongest link of each {told['unit']}", result.table("links").round(3))
    if "output" in result.tables and result.table("output")["after"].notna().any():
        yield Shown(told["measured"], result.table("output").round(4))

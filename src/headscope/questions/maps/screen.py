"""What is printed after maps were made."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.questions.screens import Shown, readable
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """Each head's strongest link."""
    attributes = result.arrays["maps"]["attention"].attrs
    inner = " that are not special" if attributes["special"] == "shown" else ""
    title = f"Strongest link of each head between {attributes['unit']}s{inner}"
    columns = ["head", "from", "to", "weight", *(["left"] if attributes["hidden"] else [])]
    yield Shown(title, readable(result.table("links"), result.declaration("links"), columns))

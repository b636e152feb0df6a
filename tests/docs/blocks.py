"""The fenced blocks of a page, each with its line, so that a failure points into the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line of the page that its text begins in."""

    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A line of a console block, and the lines shown below it."""

    arguments: str
    shown: tuple[str, ...]

    @property
    def code(self) -> int:
        """The exit code to expect: a page that shows an error message shows the user's mistake."""
        return 2 if any(line.startswith("headscope: ") for line in self.shown) else 0


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page that name their language."""
    text = page.read_text("utf-8")
    for match in _FENCE.finditer(text):
        yield Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)


def commands(block: Block) -> Iterator[Command]:
    """The lines of a console block that begin with `$ headscope`."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        first, *shown = part.rstrip("\n").split("\n")
        if first.split()[0] == "headscope":
            yield Command(first.removeprefix("headscope").strip(), tuple(line for line in shown if line))

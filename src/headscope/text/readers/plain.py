"""Plain text: documents parted by blank lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headscope.text.documents import Document
from headscope.text.lines import read_parts
from headscope.text.noticing import Item, Remark
from headscope.text.readers.columns import Columns

LONGEST = 2**20
"""Characters after which a document ends although no blank line came, so that it fits into memory."""


def read_plain(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per block of lines; its id is ``label`` and the number of its first line.

    A block, or a single line, beyond `LONGEST` is cut into several documents: between lines, or else between
    words. Those of one line have ids that count on: ``label:7``, ``label:7+1``.
    """
    columns.refuse(path)
    for number, part, lines, goes_on in _blocks(path):
        if goes_on:
            yield Remark(f"text without a blank line is cut into documents of at most {LONGEST:,} characters")
        yield Document.from_text(f"{label}:{number}" + (f"+{part}" if part else ""), "\n".join(lines))


def _blocks(path: Path) -> Iterator[tuple[int, int, list[str], bool]]:
    """Blocks of lines: the number of the first one, which part of that line it begins with, and whether it
    is cut off before its end."""
    first, block, size = (0, 0), list[str](), 0
    for number, part, line in read_parts(path, LONGEST):
        if block and (not line.strip() or size + len(line) > LONGEST):
            yield *first, block, bool(line.strip())
            block, size = [], 0
        if line.strip():
            first = first if block else (number, part)
            block.append(line)
            size += len(line)
    if block:
        yield *first, block, False

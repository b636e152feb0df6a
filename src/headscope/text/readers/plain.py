"""Plain text: documents parted by blank lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from headscope.text.documents import Document
from headscope.text.lines import read_lines
from headscope.text.readers.rows import Columns


def read_plain(path: Path, label: str, columns: Columns) -> Iterator[Document]:
    """Yield one document per block of lines; its id is ``label`` and the number of its first line."""
    columns.refuse(str(path))
    numbered = enumerate(read_lines(path), start=1)
    for filled, block in groupby(numbered, key=lambda item: bool(item[1].strip())):
        if filled:
            numbers, lines = zip(*block, strict=True)
            yield Document.from_text(f"{label}:{numbers[0]}", "\n".join(lines))

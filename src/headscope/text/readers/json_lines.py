"""JSON lines: one object with a text, or a list of words, per line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from headscope.text.documents import Document
from headscope.text.lines import Place, read_lines
from headscope.text.readers.ids import Ids
from headscope.text.readers.rows import Columns, row_document


def read_json_lines(path: Path, label: str, columns: Columns) -> Iterator[Document]:
    """Yield one document per object: ``text`` or ``words`` (a list), and if present ``id`` and ``target``."""
    ids = Ids()
    for line, content in enumerate(read_lines(path), start=1):
        if not content.strip():
            continue
        place = Place(path, line)
        row = _object(place, content)
        id = f"{label}:{line}" if row.get("id") is None else ids.claim(str(row["id"]), place)
        yield row_document(id, row, _with_target(columns, row).pick(row, place), place)


def _object(place: Place, content: str) -> dict[str, Any]:
    try:
        row = json.loads(content)
    except (ValueError, RecursionError) as problem:
        detail = getattr(problem, "msg", problem)
        raise place.error(f"broken JSON ({detail}); one object per line is expected") from problem
    if not isinstance(row, dict):
        raise place.error(f"one object per line is expected, not {type(row).__name__}")
    return row


def _with_target(columns: Columns, row: dict[str, Any]) -> Columns:
    """Take ``target`` without being asked where it is a text; elsewhere it is a label of some other task."""
    if columns.target is None and columns.text != "target" and isinstance(row.get("target"), str):
        return replace(columns, target="target")
    return columns

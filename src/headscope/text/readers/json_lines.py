"""JSON lines: one object with a text, or a list of words, per line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from headscope.errors import InputError
from headscope.text.lines import Place, read_lines
from headscope.text.noticing import Broken, Item, Remark
from headscope.text.readers.columns import Columns
from headscope.text.readers.edge_rows import edge_document, is_edge_row
from headscope.text.readers.ids import Ids
from headscope.text.readers.rows import row_document


def read_json_lines(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per object: ``text`` or ``words`` (a list), and if present ``id`` and ``target``.

    Objects with ``targets`` that have spans are those of edge probing.
    """
    ids, told = Ids(), None
    for line, content in enumerate(read_lines(path), start=1):
        if not content.strip():
            continue
        place, id = Place(path, line), f"{label}:{line}"
        try:
            row = _object(place, content)
            id = id if row.get("id") is None else ids.claim(str(row["id"]), place)
            if is_edge_row(row):
                yield edge_document(id, row, place)
                continue
            names = _with_target(columns, row).pick(row, place)
        except InputError as error:
            yield Broken(id, error)
            continue
        if names != told:
            yield Remark(str(names))
            told = names
        yield row_document(id, row, names, place)


def _object(place: Place, content: str) -> dict[str, Any]:
    def with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        row = dict(pairs)
        if len(row) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise place.error(f"the key '{twice[:60]}' is there {keys.count(twice)} times; keep one of them")
        return row

    try:
        row = json.loads(content, object_pairs_hook=with_each_key_once)
    except (ValueError, RecursionError) as problem:
        detail = getattr(problem, "msg", problem)
        raise place.error(f"broken JSON ({detail}); one object per line is expected") from problem
    if not isinstance(row, dict):
        raise place.error(f"one object per line is expected, not {type(row).__name__}")
    return row


def _with_target(columns: Columns, row: dict[str, Any]) -> Columns:
    """Take ``target`` without being asked where it is a text; elsewhere it is a label of some other task."""
    target = row.get("target")
    is_text = isinstance(target, str) and bool(target.strip())
    if columns.target is None and columns.text != "target" and is_text:
        return replace(columns, target="target")
    return columns

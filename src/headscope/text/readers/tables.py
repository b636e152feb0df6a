"""Tables with a header, one document per row: comma- or tab-separated."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from headscope.text.lines import Place, read_lines
from headscope.text.noticing import Broken, Item, Remark
from headscope.text.readers.columns import Columns
from headscope.text.readers.rows import row_document

_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_Row = tuple[int, list[str]]


def read_csv(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per row; quoted fields may hold commas and line ends."""
    return _documents(path, label, columns, _rows(path, strict=True))


def read_tsv(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per line; fields hold no tabs or line ends.

    Many such files carry stray quotes, so a quote opens nothing; only a field that is quoted as a whole is
    unwrapped.
    """
    rows = _rows(path, delimiter="\t", quoting=csv.QUOTE_NONE)
    return _documents(path, label, columns, ((line, [_unwrap(field) for field in row]) for line, row in rows))


def _rows(path: Path, **dialect: Any) -> Iterator[_Row]:
    """The rows that are not blank, each with the number of its first line."""
    csv.field_size_limit(sys.maxsize)  # the default refuses documents above 128 KiB
    reader = csv.reader((line + "\n" for line in read_lines(path)), **dialect)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as problem:
            raise Place(path, line).error(f"broken row: {problem}; check its quotes") from problem
        if row is None:
            return
        if row:
            yield line, row


def _unwrap(field: str) -> str:
    return field[1:-1].replace('""', '"') if _QUOTED.fullmatch(field) else field


def _documents(path: Path, label: str, columns: Columns, rows: Iterable[_Row]) -> Iterator[Item]:
    header: list[str] = []
    for line, row in rows:
        place = Place(path, line)
        if not header:
            header, names = row, columns.pick(row, place)
            yield Remark(str(names))
            continue
        id = f"{label}:{line}"
        if len(row) == len(header):
            yield row_document(id, dict(zip(header, row, strict=True)), names, place)
        else:
            problem = f"{len(row)} fields, but the header has {len(header)}: {', '.join(header)}"
            yield Broken(id, place.error(problem))

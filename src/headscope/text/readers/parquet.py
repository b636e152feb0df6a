"""Parquet: one document per row, read in batches of rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headscope.text.lines import Place
from headscope.text.noticing import Item, Remark
from headscope.text.readers.columns import Columns
from headscope.text.readers.rows import row_document

_ROWS = 1_000
"""Rows in memory at once."""


def read_parquet(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per row; of the columns only those that are asked for are read."""
    # Not at the top: other formats do not wait for it.
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            names = columns.pick(file.schema_arrow.names, Place(path))
            yield Remark(str(names))
            wanted = [name for name in names if name is not None]
            batches = file.iter_batches(_ROWS, columns=wanted)
            for number, row in enumerate(row for batch in batches for row in batch.to_pylist()):
                yield row_document(f"{label}:{number}", row, names, Place(f"{path} row {number}"))
    except (OSError, pyarrow.ArrowException) as problem:
        raise Place(path).error(f"not a Parquet file that can be read: {problem}") from problem

"""What is simple, beside the scores of heads whose tables do not tell it themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from headscope.web.report.tables import RunTable


def with_baselines(tables: Sequence[RunTable]) -> list[RunTable]:
    """The same tables, scores of relations beside those of fixed offsets, of mentions beside the nearest."""
    by_name = {name: table for _, name, table in tables}
    return [RunTable(verb, name, _beside(name, table, by_name)) for verb, name, table in tables]


def _beside(name: str, table: pd.DataFrame, by_name: dict[str, pd.DataFrame]) -> pd.DataFrame:
    if name == "head_relations" and _has(by_name.get("readings"), "same_data_offset_accuracy"):
        return _with_offsets(table, by_name["readings"])
    if name == "coref_heads" and _has(by_name.get("coref_types"), "type", "nearest"):
        return _with_nearest(table, by_name["coref_types"])
    return table


def _has(table: pd.DataFrame | None, *columns: str) -> bool:
    return table is not None and set(columns) <= set(table)


def _with_offsets(table: pd.DataFrame, readings: pd.DataFrame) -> pd.DataFrame:
    """Scores on all data stand beside the best offset on all data."""
    keys = ["relation", "reading"]
    if not _has(table, *keys, "accuracy") or not _has(readings, *keys):
        return table
    simple = readings.set_index(keys)["same_data_offset_accuracy"]
    wanted = pd.MultiIndex.from_frame(table[keys])
    return _behind(table, "accuracy", simple[~simple.index.duplicated()].reindex(wanted))


def _with_nearest(table: pd.DataFrame, types: pd.DataFrame) -> pd.DataFrame:
    for kind, nearest in zip(types["type"].astype(str), types["nearest"], strict=True):
        if kind in table:
            table = _behind(table, kind, [nearest] * len(table))
    return table


def _behind(table: pd.DataFrame, column: str, values: Iterable[float]) -> pd.DataFrame:
    """A baseline put behind the column that it belongs to."""
    widened = table.copy()
    widened.insert(table.columns.tolist().index(column) + 1, f"{column}_baseline", list(values))
    return widened

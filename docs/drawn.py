"""What the runs behind our pictures found, kept in docs/evidence/drawn.json for pages that tell it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, told
from headscope.results.files import write_json
from headscope.results.result import Result

DRAWN = Path(__file__).parent / "evidence" / "drawn.json"
LEAST = 100
"""Words of a relation of a treebank whose row is kept."""


def findings() -> dict[str, dict[str, Any]]:
    """By run: the verbs it holds, each with its sentences and rows."""
    content: dict[str, dict[str, Any]] = json.loads(DRAWN.read_text("utf-8")) if DRAWN.exists() else {}
    return content


def keep(run: str, results: dict[str, Result]) -> None:
    """Keep what a run found, in place of what was kept of it before."""
    kept = {
        verb: {
            "findings": [finding.text for finding in result.findings],
            "rows": list(rows_of(run, verb, result)),
        }
        for verb, result in results.items()
    }
    write_json(DRAWN, dict(sorted({**findings(), run: kept}.items())))


def rows_of_pictures() -> list[Row]:
    """The rows of all runs."""
    return [row for run in findings().values() for verb in run.values() for row in verb["rows"]]


def rows_of(run: str, verb: str, result: Result) -> Iterator[Row]:
    """The numbers of a run that pages of papers tell, as rows of evidence."""
    if (run, verb) == ("demo", "survey"):
        roles = result.table("roles").set_index("role")
        for role in ("previous token", "next token"):
            one = roles.loc[role]
            value = f"{100 * one['score']:.1f} % by {one['best']}; {one['heads']} of 72 heads"
            yield told(f"survey of the demo: {role}", value)
        layers = result.table("layers").iloc[0]
        within, across = layers["divergence within layers"], layers["across layers"]
        value = f"{within:.3f} and {across:.3f} nats, p = {layers['p']:.4f}"
        yield told("survey of the demo: divergence", value)
    if (run, verb) == ("trees", "syntax"):
        relations = result.table("relations")
        for one in relations[relations["words"] >= LEAST].to_dict("records"):
            span = f"{100 * one['low']:.1f} to {100 * one['high']:.1f}"
            heads = " / ".join(dict.fromkeys((one["head"], one["other_head"])))
            beside = f"offset {100 * one['offset_accuracy']:.1f}; twins {100 * one['twin']:.1f}"
            value = f"{100 * one['accuracy']:.1f} % ({span}) by {heads}; {beside}; of {one['words']:,} words"
            yield told(f"syntax of EWT dev: {one['relation']}", value)

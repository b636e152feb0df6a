"""What docs/peers.md says of measurements, from what was kept of them.

Each block of the page is a table of the rows of one part of the evidence whose names begin alike.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.evidence import COMPLETE
from benchmarks.kept import Kept, read
from benchmarks.page import measured
from benchmarks.rows import written
from docs.blocks import filled
from headscope.errors import HeadscopeError

PAGE = Path(__file__).with_name("peers.md")
BLOCKS = {
    "bertviz": ("peers", "bertviz"),
    "lens and inseq": (
        "peers",
        ("64 segments", "headscope.survey", "statistics", "transformer-lens", "inseq"),
    ),
    "plain loop": ("peers", "plain loop"),
    "captum": ("peers", "captum"),
    "networkx": ("explanations", ("flow from one source", "largest difference from networkx")),
}
"""The part of the evidence, and how its rows begin, of each block."""


def kept_of(part: str) -> Kept:
    """What a part has measured."""
    kept = read(part, COMPLETE.kept)
    if kept is None:
        raise HeadscopeError(f"{part} was never measured: python -m benchmarks.evidence --part {part}")
    return kept


def with_rows(page: str) -> str:
    """The text of the page with all that was measured."""
    for block, part in {"measured": "peers", "measured flow": "explanations"}.items():
        page = filled(page, block, measured(kept_of(part)), PAGE.name)
    for block, (part, begins) in BLOCKS.items():
        rows = [row for row in kept_of(part).rows if row["name"].startswith(begins)]
        cells = [(row["name"], f"{written(row['value'])} {row['unit']}".strip()) for row in rows]
        lines = [f"| {name} | {value} |" for name, value in [("measured", "value"), ("---", "---"), *cells]]
        page = filled(page, block, "\n".join(lines), PAGE.name)
    return page

"""Tables of docs/papers: what a paper published beside what was measured here, written from the evidence.

docs/papers/rows.toml names, for each claim of a paper, the part of the evidence and the row that answers it.
`python -m docs.writing` fills these tables in. A row that its part does not have (any more) is an error; a
part that has not been measured yet says so in its cell.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.evidence import COMPLETE
from benchmarks.kept import Kept, read
from benchmarks.page import value_with_unit
from benchmarks.parts import PARTS
from benchmarks.rows import Row
from docs.blocks import anchor
from docs.blocks import table_of as markdown
from docs.drawn import rows_of_pictures
from headscope.errors import HeadscopeError

PAPERS = Path(__file__).with_name("papers")
PICTURES = "pictures"
"""The part whose rows are read off the runs that pictures are drawn from (docs/drawn.py)."""
NOT_MEASURED = "not measured on this code"


class Claim(NamedTuple):
    """A claim of a paper, what was published, and where the evidence answers it.

    row: the name of a row; `*` stands for anything, `{}` for what is shown behind the value, such as an
    interval that the name holds.
    """

    claim: str
    published: str
    part: str
    row: str


def claims() -> dict[str, list[Claim]]:
    """The claims of every paper, by the name of its page."""
    text = (PAPERS / "rows.toml").read_text("utf-8")
    return {paper: [Claim(**line) for line in lines] for paper, lines in tomllib.loads(text).items()}


def table_of(paper: str) -> str:
    """The table of a paper as Markdown."""
    rows = [("claim", "published", "measured here", "from")]
    rows += [(claim.claim, claim.published, measured(claim), source(claim.part)) for claim in claims()[paper]]
    return markdown(rows)


def measured(claim: Claim) -> str:
    """The value of the row that answers a claim."""
    rows = _rows(claim.part)
    if rows is None:
        return NOT_MEASURED
    found = [cell for row in rows if (cell := value_of(row, claim.row)) is not None]
    if len(found) != 1:
        raise HeadscopeError(
            f"docs/papers/rows.toml: {len(found)} rows of {claim.part} are called '{claim.row}', expected 1"
        )
    return found[0]


def value_of(row: Row, pattern: str) -> str | None:
    """What a row tells, if its name is the pattern's.

    >>> row: Row = {"name": "pos: 6 layers (1 to 2)", "value": 1.508, "unit": "layers",
    ...     "target": "", "limit": "", "passed": True}
    >>> value_of(row, "pos: * layers ({})"), value_of(row, "deps*")
    ('1.51 layers (1 to 2)', None)
    """
    parts = {"*": ".*?", "{}": "(.*?)"}
    shape = "".join(parts.get(part, re.escape(part)) for part in re.split(r"(\*|\{\})", pattern))
    match = re.fullmatch(shape, row["name"])
    if match is None:
        return None
    value = value_with_unit(row)
    shown = "; ".join(match.groups())
    return f"{value} ({shown})" if value and shown else value or shown


def source(part: str) -> str:
    """Where a value stands, and when it was measured."""
    if part == PICTURES:
        return "[the gallery](../gallery.md)"
    kept = _kept(part)
    if kept is None:
        return f"`--part {part}`"
    day = kept.machine["date"].split()[0]
    return f"[{kept.title}](../evidence.md#{anchor(kept.title)}), {day}{carried(kept)}"


def carried(kept: Kept) -> str:
    """That what was measured then was not measured again since."""
    return ", carried over to later code" if kept.note else ""


def _rows(part: str) -> list[Row] | None:
    if part == PICTURES:
        return rows_of_pictures()
    kept = _kept(part)
    return None if kept is None else kept.rows


@cache
def _kept(part: str) -> Kept | None:
    if part not in PARTS:
        raise HeadscopeError(f"docs/papers/rows.toml: there is no part '{part}' of the evidence")
    return read(part, COMPLETE.kept)

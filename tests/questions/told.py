"""Results of a few rows made by hand, and the sentences that are made of them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from headscope.questions import VERBS
from headscope.questions.findings import findings_of
from headscope.results.result import Result


def told(verb: str, **tables: list[dict[str, Any]]) -> list[tuple[str, bool, str | None]]:
    """Each sentence on tables of such rows, whether it is found, and the head that it points to."""
    frames = {name: pd.DataFrame(rows) for name, rows in tables.items()}
    result = Result(verb, tables=frames, declared=VERBS[verb].tables)
    return [(one.text, one.decided, one.head) for one in findings_of(result)]

"""What coref found that heads know, as roles for a survey."""

from __future__ import annotations

import pandas as pd

from headscope.results.known import Known, known_frame
from headscope.results.vocabulary import COREFERENCE


def known_table(types: pd.DataFrame) -> pd.DataFrame:
    """One row per type of mention; a head is named only where both halves of the documents chose it."""
    rows = []
    for row in types[types["found"] & (types["chosen"] == types["other_chosen"])].to_dict("records"):
        head, accuracy, kind = str(row["chosen"]), float(row["accuracy"]), row["type"]
        rule = f"right for {accuracy:.0%} of {kind} mentions, the nearest mention for {row['nearest']:.0%}"
        # One name is enough for a head; all mentions together stand first.
        name = COREFERENCE if kind == "all" else f"{kind} mentions"
        rows.append(Known(head, COREFERENCE, name, accuracy, rule))
    return known_frame(rows)

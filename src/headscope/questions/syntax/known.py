"""What syntax found that heads know, as roles for a survey."""

from __future__ import annotations

import pandas as pd

from headscope.results.known import Known, known_frame
from headscope.results.vocabulary import SYNTAX


def known_table(relations: pd.DataFrame) -> pd.DataFrame:
    """One row per relation that was found; a head is named only where both halves of the data chose it."""
    rows = []
    agree = (relations["head"] == relations["other_head"]) & (
        relations["reading"] == relations["other_reading"]
    )
    columns = ["relation", "head", "reading", "accuracy", "offset_accuracy"]
    known = relations.loc[relations["found"] & agree, columns]
    for relation, head, reading, accuracy, offset in known.itertuples(index=False):
        rule = f"right for {accuracy:.0%} of {relation} ({reading}), an offset for {offset:.0%}"
        rows.append(Known(str(head), SYNTAX, str(relation), float(accuracy), rule))
    return known_frame(rows)

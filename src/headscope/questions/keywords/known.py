"""What keywords found that heads know, as roles for a survey."""

from __future__ import annotations

import pandas as pd

from headscope.results.known import Known, known_frame
from headscope.results.vocabulary import KEYWORDS


def known_table(best: pd.DataFrame) -> pd.DataFrame:
    """The head that finds keywords, if one was found and both halves of the documents chose it."""
    rows = []
    for row in best.to_dict("records"):
        if row["found"] and row["head"] == row["other_head"]:
            by = f"attention received ({row['reading']})"
            rule = f"average precision {row['auprc']:.2f} by {by}, TF-IDF {row['tfidf']:.2f}"
            rows.append(Known(row["head"], KEYWORDS, "key words", float(row["auprc"]), rule))
    return known_frame(rows)

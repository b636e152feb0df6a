"""What retrieve found that heads know, as roles for a survey."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from headscope.questions.retrieve.tables import NAMED
from headscope.questions.retrieve.verdicts import is_above_chance
from headscope.results.known import Known, known_frame
from headscope.results.vocabulary import RETRIEVAL


def known_table(heads: pd.DataFrame, found: xr.Dataset) -> pd.DataFrame:
    """The heads that are named by every other of the trials that succeeded, and by those between them too.

    Where these are too few to tell a head from chance, it gets no role.
    """
    hits = found["hits"].values[found["retrieved"].values]  # (trial, head)
    halves = np.stack([_mean(hits[start::2]) for start in (0, 1)])
    agreed = set(found["head"].values[(halves >= NAMED).all(0)])
    rows = []
    for row in heads[heads["named"]].to_dict("records"):
        if row["head"] in agreed and is_above_chance(row):
            chance = f"a random key on {row['chance']:.1%}"
            rule = f"its strongest key lies on {row['score']:.0%} of a secret, {chance}"
            rows.append(Known(row["head"], RETRIEVAL, "needles", float(row["score"]), rule))
    return known_frame(rows)


def _mean(hits: np.ndarray) -> np.ndarray:
    """Score of each head; 0 where there is no trial."""
    return hits.mean(0) if len(hits) else np.zeros(hits.shape[1])

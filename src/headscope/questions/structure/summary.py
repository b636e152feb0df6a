"""How many heads follow trees, target by target."""

from __future__ import annotations

import pandas as pd

from headscope.results.vocabulary import FALSE_TREES


def summary_table(heads: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """One row per target: heads, those that were tested and found, and those better than each false tree."""
    rows = []
    for target, own in heads.groupby("target", sort=False):
        of_target = tests[tests["target"] == target]
        tested = of_target.groupby("head")["low"].apply(lambda low: low.notna().all()).sum()
        better = of_target.groupby("tree")["closer"].sum().reindex(FALSE_TREES)
        below = int((own["kl"] < own["even"]).sum())
        rows.append(
            {"target": target, "heads": len(own), "tested": int(tested), "below_even": below,
             **{f"closer_{tree}": count for tree, count in better.items()},
             "found": int(own["found"].sum())}
        )  # fmt: skip
    return pd.DataFrame(rows)

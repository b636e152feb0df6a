"""Roles through training: what heads do at each checkpoint, and since when a score is reached."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.measures.onsets import onsets
from headscope.questions.checkpoints import Point, steps
from headscope.questions.survey.block_sums import SUMS
from headscope.questions.survey.rules import LIFT, RULES
from headscope.questions.survey.scores import scores
from headscope.results.vocabulary import DUPLICATE_TOKEN, FIRST_TOKEN, INDUCTION, PREVIOUS_TOKEN

FOLLOWED = (PREVIOUS_TOKEN, FIRST_TOKEN, DUPLICATE_TOKEN, INDUCTION)
"""Roles whose scores are followed; those that a model does not have are left out."""

RULE_OF = {rule.role: rule for rule in RULES if rule.role in FOLLOWED}


def series_table(points: Sequence[Point]) -> pd.DataFrame:
    """One row per checkpoint and head: its role, and the scores that are followed."""
    tables = []
    for step, point in zip(steps(points), points, strict=True):
        dataset, measured = point.dataset, scores(point.dataset)
        table = pd.DataFrame(
            {"series": point.series, "checkpoint": point.name, "step": step, "head": dataset["head"].values}
        )
        table["role"] = dataset["role"].values
        table["otherwise"] = dataset["otherwise"].values if "otherwise" in dataset else ""
        for role in FOLLOWED:
            table[column_of(role)] = measured[RULE_OF[role].score].values
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def earlier_dataset(points: Sequence[Point]) -> xr.Dataset:
    """Sums and counts of blocks at every checkpoint, as those of `heads`, for whoever compares them."""
    own = [point.dataset[list(SUMS)] for point in points]
    names = [f"{point.series}/{point.name}" if point.series else point.name for point in points]
    return xr.concat(own, pd.Index(names, name="checkpoint", dtype=object), combine_attrs="override")


def column_of(role: str) -> str:
    """The column with the score of a role.

    >>> column_of("previous token")
    'previous_token'
    """
    return role.replace(" ", "_").replace("-", "_")


def onsets_table(points: Sequence[Point]) -> pd.DataFrame:
    """One row per series and role: the checkpoint from which on some head always reaches it, and their order.

    Reached: the score is at least the rule's, and twice that of even attention. Any head may have it at each
    checkpoint; named is the one that has most of it at the last.
    """
    tables = []
    for series in dict.fromkeys(point.series for point in points):
        own = [point for point in points if point.series == series]
        measured = [scores(point.dataset) for point in own]
        rows = [_onset(role, measured, own) for role in FOLLOWED]
        table = pd.DataFrame([row for row in rows if row is not None])
        table.insert(0, "series", series)
        table["order"] = table["step"].rank(method="min")
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _onset(role: str, measured: Sequence[xr.Dataset], own: Sequence[Point]) -> dict[str, object] | None:
    rule = RULE_OF[role]
    values = np.stack([scored[rule.score].values for scored in measured])  # (checkpoint, head)
    even = np.stack([scored[f"{rule.score}_uniform"].values for scored in measured])
    if np.isnan(values).all():
        return None
    with np.errstate(invalid="ignore"):
        reached = np.any((values >= rule.at_least) & (values >= LIFT * even), axis=1, keepdims=True)
    step = int(onsets(reached)[0])
    last = int(np.nanargmax(values[-1]))
    return {
        "role": role,
        "checkpoint": own[step].name if step >= 0 else "",
        "step": step if step >= 0 else np.nan,
        "head": str(own[-1].dataset["head"].values[last]),
        "score": float(values[-1, last]),
        "uniform": float(even[-1, last]),
    }

"""Heads that were found to know something, as roles and names of a survey.

What a head knows says more than where it looks, so such a role takes the place of a surface role, as in
Clark et al. 2019, figure 6. A head is named only where both halves of the documents chose it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.analyses.relations import LEVEL
from headscope.analyses.rules import COREFERENCE, SYNTAX
from headscope.results.result import Result

NAMES = 3
"""So many of the things a head knows are named on it, those it knows best first."""


@dataclass(frozen=True)
class Known:
    """Something that a head knows: its short name, how often the head is right, and how that was found."""

    head: str
    role: str
    name: str
    score: float
    rule: str


def known_heads(result: Result) -> list[Known]:
    """What a result of syntax or coref found; nothing for other verbs."""
    if "relations" in result.tables:
        return list(_relations(result))
    return list(_coreference(result)) if "coref_types" in result.tables else []


def with_known(dataset: xr.Dataset, known: Sequence[Known]) -> xr.Dataset:
    """The heads of a survey with roles and names for what they know; `name` is (head,), mostly empty."""
    dataset = dataset.copy()
    columns = {column: dataset[column].values.copy() for column in ("role", "role_score", "role_rule")}
    names = np.full(dataset.sizes["head"], "", object)
    for place, head in enumerate(dataset["head"].values):
        own = sorted((one for one in known if one.head == str(head)), key=lambda one: -one.score)
        if own:
            names[place] = ", ".join(one.name for one in own[:NAMES])
            for column, value in zip(columns, (own[0].role, own[0].score, own[0].rule), strict=True):
                columns[column][place] = value
    for column, values in columns.items():
        dataset[column] = ("head", values)
    dataset["name"] = ("head", names)
    return dataset


def _relations(result: Result) -> Iterable[Known]:
    table = result.table("relations")
    columns = ["relation", "head", "reading", "accuracy", "offset_accuracy"]
    for relation, head, reading, accuracy, offset in table[table["found"]][columns].itertuples(index=False):
        if "/" not in str(head) + str(reading):
            rule = f"right for {accuracy:.0%} of {relation} ({reading}), an offset for {offset:.0%}"
            yield Known(str(head), SYNTAX, str(relation), float(accuracy), rule)


def _coreference(result: Result) -> Iterable[Known]:
    table = result.table("coref_types")
    # One name is enough for a head; all mentions together stand first.
    for row in table[table["p_nearest"] < LEVEL].to_dict("records"):
        head, accuracy, kind = str(row["chosen"]), float(row["accuracy"]), row["type"]
        if "/" in head or accuracy <= float(row["twin"]):
            continue
        rule = f"right for {accuracy:.0%} of {kind} mentions, the nearest mention for {row['nearest']:.0%}"
        yield Known(head, COREFERENCE, "coreference" if kind == "all" else f"{kind} mentions", accuracy, rule)

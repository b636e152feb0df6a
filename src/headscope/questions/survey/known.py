"""Heads that were found to know something, as roles and names of a survey.

What a head knows says more than where it looks, so such a role takes the place of a surface role, as in
Clark et al. 2019, figure 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from headscope.errors import RunError
from headscope.models import Model
from headscope.results.known import Known
from headscope.results.result import Result
from headscope.results.run import Run

NAMES = 3
"""So many of the things a head knows are named on it, those it knows best first."""


def read_known(sources: Sequence[Any], model: Model) -> list[Known]:
    """What is known of the heads of a model from results or run folders with a table that gives roles."""
    known: list[Known] = []
    weights = model.fingerprints.weights if sources else ""
    for source in sources:
        for result in [source] if isinstance(source, Result) else _results(Run(source)):
            if result.roles is None:
                raise RunError(
                    f"this result of {result.verb} does not tell what heads know, as one of syntax does"
                )
            theirs = result.asked["identity"]["model"]
            if theirs["weights"] != weights:
                raise RunError(
                    f"{source}: {result.verb} was run on {theirs['name']}, whose weights are not those of "
                    f"{model.name}; what its heads know does not hold here"
                )
            rows = result.table(result.roles)[list(Known._fields)].itertuples(index=False)
            known += [Known(*row) for row in rows]
    return known


def with_known(dataset: xr.Dataset, known: Sequence[Known]) -> xr.Dataset:
    """The heads of a survey with roles and names for what they know; `name` is (head,), mostly empty."""
    dataset = dataset.copy()
    columns = {
        name: dataset[name].values.copy() for name in ("role", "role_score", "role_uniform", "role_rule")
    }
    names = np.full(dataset.sizes["head"], "", object)
    for place, head in enumerate(dataset["head"].values):
        own = sorted((fact for fact in known if fact.head == str(head)), key=lambda fact: -fact.score)
        if own:
            names[place] = ", ".join(fact.name for fact in own[:NAMES])
            # What stands beside such a score is told by the table that it comes from.
            for column, value in zip(columns, (own[0].role, own[0].score, np.nan, own[0].rule), strict=True):
                columns[column][place] = value
    for column, values in columns.items():
        dataset[column] = ("head", values)
    dataset["name"] = ("head", names)
    return dataset


def _results(run: Run) -> list[Result]:
    verbs = [verb for verb in run.verbs if verb not in run.unfinished and run.entry(verb).roles is not None]
    if not verbs:
        raise RunError(
            f"{run.path} has no finished run that tells what heads know, such as syntax; give one to --known"
        )
    return [run.result(verb) for verb in verbs]

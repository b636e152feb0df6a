"""What other questions may use of a survey: its arrays and what it was asked, from a run folder."""

from __future__ import annotations

from typing import Any, NamedTuple

import xarray as xr

from headscope.errors import RunError
from headscope.results.run import Run

VERB = "survey"


class Surveyed(NamedTuple):
    """The heads of a finished survey, its identity, and what a reader of it must know."""

    heads: xr.Dataset
    identity: dict[str, Any]
    notes: list[str]


def surveyed(run: Run) -> Surveyed:
    """The survey of a run folder; refused where there is no finished one."""
    if VERB not in run.verbs or VERB in run.unfinished:
        raise RunError(f"{run.path} has no finished survey; run headscope survey with --out {run.path}")
    return Surveyed(run.arrays("heads", VERB), run.asked(VERB)["identity"], run.notes(VERB))

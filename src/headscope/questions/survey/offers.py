"""What other questions may use of a survey: its arrays and what it was asked, from a run folder."""

from __future__ import annotations

from typing import Any, NamedTuple

import xarray as xr

from headscope.errors import RunError
from headscope.results.run import Run

VERB, EARLIER = "survey", "earlier"
RUNNING, MADE = "running", "made"
"""The texts that measures are of: the one that is surveyed, and random tokens that are repeated."""


class Surveyed(NamedTuple):
    """The heads of a finished survey, its identity, and what a reader of it must know.

    earlier: blocks of the same heads at each checkpoint that was surveyed, in their order.
    """

    heads: xr.Dataset
    identity: dict[str, Any]
    notes: list[str]
    earlier: dict[str, xr.Dataset]

    @property
    def is_last_checkpoint(self) -> bool:
        """Whether the model has the weights of the last checkpoint."""
        weights = [checkpoint["weights"] for checkpoint in self.identity.get("checkpoints", [])]
        return weights[-1:] == [self.identity["model"]["weights"]]


def surveyed(run: Run) -> Surveyed:
    """The survey of a run folder; refused where there is no finished one."""
    if VERB not in run.verbs or VERB in run.unfinished:
        raise RunError(f"{run.path} has no finished survey; run headscope survey with --out {run.path}")
    heads, identity = run.arrays("heads", VERB), run.asked(VERB)["identity"]
    return Surveyed(heads, identity, run.notes(VERB), _earlier(run))


def _earlier(run: Run) -> dict[str, xr.Dataset]:
    """Each checkpoint's own heads; nothing where none were asked for."""
    if EARLIER not in run.entry(VERB).arrays:
        return {}
    blocks = run.arrays(EARLIER, VERB)
    return {str(name): blocks.sel(checkpoint=name, drop=True) for name in blocks["checkpoint"].values}

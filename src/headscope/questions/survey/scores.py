"""What the rules look at: scores of heads, from the arrays of all analyses of a survey."""

from __future__ import annotations

import numpy as np
import xarray as xr

from headscope.measures.surface import OFFSETS
from headscope.questions.survey.laid import OUTSIDE
from headscope.questions.survey.surface import PUNCTUATION

NEAR = 3
OF_MADE = ("induction", "duplicate")
SIGNED = ("copying", "suppression")


def scores(dataset: xr.Dataset) -> xr.Dataset:
    """(head,) each, with `_uniform` twins; NaN where a survey does not have it."""
    arrays: dict[str, xr.DataArray] = {}
    for suffix in ("", "_uniform"):
        share, offset = dataset["share" + suffix], dataset["offset" + suffix]
        # A special token that opens the text is the first token; the others close or part it.
        closing = [name for name in dataset.attrs["closing"] if name in share.target]
        around = offset.sel(distance=[d for d in OFFSETS if 0 < abs(d) <= NEAR])
        for name in ("previous", "next", "self", "first"):
            arrays[name + suffix] = share.sel(target=name, drop=True)
        arrays["separator" + suffix] = share.sel(target=closing).sum("target")
        arrays["punctuation" + suffix] = share.sel(target=PUNCTUATION, drop=True)
        arrays["near" + suffix] = around.sum("distance", min_count=1)
        arrays["evenness" + suffix] = dataset["entropy" + suffix] / dataset["entropy_uniform"]
    return xr.Dataset(arrays | _more(dataset, ""))


def scores_behind(dataset: xr.Dataset) -> xr.Dataset:
    """The same of what is not on the first token."""
    arrays = {
        name + suffix: dataset[f"running_behind{suffix}"].sel(running_pattern=name, drop=True)
        for suffix in ("", "_uniform")
        for name in ("previous", "self", "near", "punctuation", "separator")
    }
    nothing = xr.full_like(arrays["self"], np.nan)
    arrays |= {"next": nothing, "next_uniform": nothing}
    return xr.Dataset(arrays | _more(dataset, "_behind"))


def _more(dataset: xr.Dataset, behind: str) -> dict[str, xr.DataArray]:
    """What only causal models have: scores on made text, copying, streaming."""
    nothing = xr.full_like(dataset["entropy"], np.nan, dtype=float)
    arrays = {
        name + suffix: dataset[f"made{behind}{suffix}"].sel(made_pattern=name, drop=True)
        if "made" in dataset
        else nothing
        for name in OF_MADE
        for suffix in ("", "_uniform")
    }
    copying = dataset.get("copying", nothing)
    arrays |= {"copying": copying, "suppression": -copying, "streaming": nothing}
    if "running" in dataset:
        outside, even = (
            dataset[f"running{behind}{suffix}"].sel(running_pattern=OUTSIDE, drop=True)
            for suffix in ("", "_uniform")
        )
        arrays["streaming"] = 1 - outside / even
    return arrays | {f"{name}_uniform": xr.zeros_like(nothing) for name in (*SIGNED, "streaming")}

"""What the rules look at: scores of heads, from the arrays of all analyses of a survey."""

from __future__ import annotations

import numpy as np
import xarray as xr

from headscope.measures.surface import OFFSETS
from headscope.questions.survey.behind import OPENING
from headscope.questions.survey.laid import OUTSIDE, SINK
from headscope.questions.survey.surface import PUNCTUATION

NEAR = 3
WITH_EVEN = ("", "_uniform")
"""What is measured, and what even attention gives."""

OF_MADE = {"induction": "induction", "duplicate": "duplicate", "previous_in_copies": "previous"}
"""Scores of patterns of made text, by their names here."""


def scores(dataset: xr.Dataset) -> xr.Dataset:
    """(head,) each, with `_uniform` twins; NaN where a survey does not have it."""
    arrays: dict[str, xr.DataArray] = {}
    for suffix in WITH_EVEN:
        share, offset = dataset["share" + suffix], dataset["offset" + suffix]
        # A special token that opens the text is the first token; the others close or part it.
        closing = [name for name in dataset.attrs["closing"] if name in share.target]
        around = offset.sel(distance=[d for d in OFFSETS if 0 < abs(d) <= NEAR])
        for name in ("previous", "next", "self", "first"):
            arrays[name + suffix] = share.sel(target=name, drop=True)
        arrays["separator" + suffix] = share.sel(target=closing).sum("target")
        marks = share.sel(target=PUNCTUATION, drop=True)
        if OPENING in dataset:  # a sink that is a mark makes no head one of punctuation
            marks = marks - dataset[OPENING + suffix].where(dataset["first_is_sink"], 0.0)
        arrays["punctuation" + suffix] = marks
        arrays["near" + suffix] = around.sum("distance", min_count=1)
        arrays["evenness" + suffix] = dataset["entropy" + suffix] / dataset["entropy_uniform"]
    return xr.Dataset(arrays | _of_sinks(dataset) | _more(dataset, ""))


def scores_behind(dataset: xr.Dataset) -> xr.Dataset:
    """The same of what is not on the first token."""
    arrays = {
        name + suffix: dataset[f"running_behind{suffix}"].sel(running_pattern=name, drop=True)
        for suffix in WITH_EVEN
        for name in ("previous", "self", "near", "punctuation", "separator")
    }
    nothing = xr.full_like(arrays["self"], np.nan)
    missing = ("next", "sink", "first_taken")
    arrays |= {name + suffix: nothing for suffix in WITH_EVEN for name in missing}
    return xr.Dataset(arrays | _more(dataset, "_behind"))


def _of_sinks(dataset: xr.Dataset) -> dict[str, xr.DataArray]:
    """What only causal models have on their first token: of early queries, and by length."""
    nothing = _nothing(dataset)
    arrays = {f"first_taken{suffix}": dataset.get(f"first_taken{suffix}", nothing) for suffix in WITH_EVEN}
    for suffix in WITH_EVEN:
        patterns = dataset.get(f"running{suffix}")
        arrays[f"sink{suffix}"] = (
            nothing if patterns is None else patterns.sel(running_pattern=SINK, drop=True)
        )
    return arrays


def _more(dataset: xr.Dataset, behind: str) -> dict[str, xr.DataArray]:
    """What only causal models have: scores on made text, copying, streaming."""
    nothing = _nothing(dataset)
    arrays = {
        name + suffix: dataset[f"made{behind}{suffix}"].sel(made_pattern=pattern, drop=True)
        if "made" in dataset
        else nothing
        for name, pattern in OF_MADE.items()
        for suffix in WITH_EVEN
    }
    copying, chance = (dataset.get(name, nothing) for name in ("copying", "copying_chance"))
    arrays |= {"copying": copying, "suppression": -copying, "streaming": nothing}
    arrays |= {"copying_uniform": chance, "suppression_uniform": chance}
    if "running" in dataset:
        outside, even = (
            dataset[f"running{behind}{suffix}"].sel(running_pattern=OUTSIDE, drop=True)
            for suffix in WITH_EVEN
        )
        arrays["streaming"] = 1 - outside / even
    return arrays | {"streaming_uniform": xr.zeros_like(nothing)}


def _nothing(dataset: xr.Dataset) -> xr.DataArray:
    return xr.full_like(dataset["entropy"], np.nan, dtype=float)

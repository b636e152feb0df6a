"""Two or more surveys side by side: what changed in which head, and is it more than chance?

Runs over the same text are paired: the difference of each block of documents is what is resampled
(bootstrap over blocks, seeded). A head counts as changed when its simultaneous interval, from the largest
deviation over all heads of a measure, leaves out 0; for sure, when that over all measures does so too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from headscope.errors import RunError
from headscope.measures.statistics import ratio

DRAWS = 2000
LEVEL = 0.95


def compare(
    surveys: Sequence[xr.Dataset], names: Sequence[str], paired: bool, measures: Sequence[str], seed: int = 0
) -> dict[str, xr.Dataset]:
    """`differences` of each run from the first, and `curves` by layer over the runs."""
    first = surveys[0]
    for name, other in zip(names[1:], surveys[1:], strict=True):
        missing = [measure for measure in measures if measure not in other["measure"].values]
        if missing:
            raise RunError(f"{name} does not have the measure '{missing[0]}' of {names[0]}")
    sums = [_Sums.of(survey, measures) for survey in surveys]
    pairs = [_difference(sums[0], other, paired, seed) for other in sums[1:]]
    labels = {name: first[name] for name in ("head", "stack", "layer", "index")}
    titles = [f"{names[0]} → {name}" for name in names[1:]]
    dims = ("pair", "head", "measure")
    data = {key: (dims, np.stack([pair[key] for pair in pairs])) for key in pairs[0]}
    differences = xr.Dataset(data, coords={**labels, "pair": titles, "measure": list(measures)})
    differences.attrs |= {"paired": int(paired), "draws": DRAWS, "level": LEVEL}
    return {"differences": differences, "curves": _curves(first, sums, names, measures)}


def differences_table(differences: xr.Dataset) -> pd.DataFrame:
    """One row per pair of runs, head and measure."""
    return differences.drop_vars(("stack", "layer", "index")).to_dataframe().reset_index()


def summary_table(differences: pd.DataFrame) -> pd.DataFrame:
    """One row per pair of runs and measure: how many heads changed."""
    grouped = differences.groupby(["pair", "measure"], sort=False)
    counts = grouped["significant"].agg(heads="size", changed="sum", share="mean")
    table: pd.DataFrame = counts.assign(sure=grouped["sure"].sum()).reset_index()
    return table


class _Sums(NamedTuple):
    """Sums and counts of a survey's blocks, (block, head, measure) each."""

    totals: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, survey: xr.Dataset, measures: Sequence[str]) -> _Sums:
        asked = survey.sel(measure=list(measures))
        return cls(asked["block_total"].values, asked["block_count"].values)

    def means(self) -> np.ndarray:
        """(head, measure)"""
        return ratio(self.totals.sum(0), self.counts.sum(0))

    def resampled(self, draws: np.ndarray) -> np.ndarray:
        """Means (draw, head, measure) of blocks drawn so often, (draw, block)."""
        return ratio(np.tensordot(draws, self.totals, 1), np.tensordot(draws, self.counts, 1))


def _difference(first: _Sums, other: _Sums, paired: bool, seed: int) -> dict[str, np.ndarray]:
    """Difference of means (head, measure) with intervals."""
    generator = np.random.default_rng(seed)
    value = other.means() - first.means()
    draws = _draw(generator, first.counts)
    other_draws = draws if paired else _draw(generator, other.counts)
    spread = other.resampled(other_draws) - first.resampled(draws) - value
    error = spread.std(0, ddof=1)
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    scaled = np.divide(np.abs(spread), error, out=np.zeros_like(spread), where=error > 0)
    reach = np.quantile(scaled.max(1), LEVEL, axis=0) * error
    reach_of_all = np.quantile(scaled.max((1, 2)), LEVEL) * error
    return {
        "difference": value,
        # The bootstrap distribution around the estimate, mirrored: the basic interval.
        "low": value - high,
        "high": value - low,
        "reach": reach,
        "significant": np.abs(value) > reach,
        "sure": np.abs(value) > reach_of_all,
    }


def _draw(generator: np.random.Generator, count: np.ndarray) -> np.ndarray:
    """(draw, block) how often each used block is drawn."""
    used = np.flatnonzero(np.nan_to_num(count).any((1, 2)))
    if len(used) < 2:
        raise RunError("a comparison needs at least two documents; part documents by blank lines")
    weights = np.zeros((DRAWS, len(count)))
    weights[:, used] = generator.multinomial(len(used), np.full(len(used), 1 / len(used)), size=DRAWS)
    return weights


def _curves(
    first: xr.Dataset, sums: Sequence[_Sums], names: Sequence[str], measures: Sequence[str]
) -> xr.Dataset:
    """Mean over the heads of a layer, by run: (run, stack, layer, measure)."""
    means = np.stack([of_run.means() for of_run in sums])
    stacks = list(dict.fromkeys(first["stack"].values))
    layers = sorted(set(first["layer"].values.tolist()))
    shape = (len(names), len(stacks), len(layers), len(measures))
    value = np.full(shape, np.nan)
    for s, stack in enumerate(stacks):
        for number, layer in enumerate(layers):
            here = (first["stack"].values == stack) & (first["layer"].values == layer)
            if here.any():
                value[:, s, number] = means[:, here].mean(1)
    return xr.Dataset(
        {"value": (("run", "stack", "layer", "measure"), value)},
        coords={"run": list(names), "stack": stacks, "layer": layers, "measure": list(measures)},
    )

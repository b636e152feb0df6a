"""Two or more surveys side by side: what changed in which head, and is it more than chance?

Runs over the same text are paired: the difference of each block of documents is what is resampled
(bootstrap over blocks, seeded). A head counts as changed when its simultaneous interval, from the largest
deviation over all heads of a measure, leaves out 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.errors import RunError

DRAWS = 2000
LEVEL = 0.95


def compare(
    surveys: Sequence[xr.Dataset], names: Sequence[str], paired: bool, measures: Sequence[str], seed: int = 0
) -> dict[str, xr.Dataset]:
    """`differences` of each run from the first, and `curves` by layer over the runs."""
    first = surveys[0]
    for name, other in zip(names[1:], surveys[1:], strict=True):
        if list(other["head"].values) != list(first["head"].values):
            raise RunError(f"{names[0]} and {name} do not have the same heads, so they cannot be paired")
        missing = [measure for measure in measures if measure not in other["measure"].values]
        if missing:
            raise RunError(f"{name} does not have the measure '{missing[0]}' of {names[0]}")
    totals = [survey["block_total"].sel(measure=list(measures)).values for survey in surveys]
    counts = [survey["block_count"].sel(measure=list(measures)).values for survey in surveys]
    found = [
        _difference(totals[0], counts[0], total, count, paired, seed)
        for total, count in zip(totals[1:], counts[1:], strict=True)
    ]
    labels = {name: first[name] for name in ("head", "stack", "layer", "index")}
    pairs = [f"{names[0]} → {name}" for name in names[1:]]
    dims = ("pair", "head", "measure")
    data = {key: (dims, np.stack([one[key] for one in found])) for key in found[0]}
    differences = xr.Dataset(data, coords={**labels, "pair": pairs, "measure": list(measures)})
    differences.attrs |= {"paired": int(paired), "draws": DRAWS, "level": LEVEL}
    return {"differences": differences, "curves": _curves(first, totals, counts, names, measures)}


def differences_table(differences: xr.Dataset) -> pd.DataFrame:
    """One row per pair of runs, head and measure."""
    return differences.drop_vars(("stack", "layer", "index")).to_dataframe().reset_index()


def _difference(
    total_a: np.ndarray,
    count_a: np.ndarray,
    total_b: np.ndarray,
    count_b: np.ndarray,
    paired: bool,
    seed: int,
) -> dict[str, np.ndarray]:
    """Difference of means (head, measure) with intervals; sums and counts are (block, head, measure)."""
    generator = np.random.default_rng(seed)
    value = _ratio(total_b.sum(0), count_b.sum(0)) - _ratio(total_a.sum(0), count_a.sum(0))
    draws_a = _draw(generator, count_a)
    draws_b = draws_a if paired else _draw(generator, count_b)
    spread = _resample(draws_b, total_b, count_b) - _resample(draws_a, total_a, count_a) - value
    error = spread.std(0, ddof=1)
    low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    scaled = np.divide(np.abs(spread), error, out=np.zeros_like(spread), where=error > 0)
    reach = np.quantile(scaled.max(1), LEVEL, axis=0) * error
    return {
        "difference": value,
        # The bootstrap distribution around the estimate, mirrored: the basic interval.
        "low": value - high,
        "high": value - low,
        "reach": reach,
        "significant": np.abs(value) > reach,
    }


def _draw(generator: np.random.Generator, count: np.ndarray) -> np.ndarray:
    """(draw, block) how often each used block is drawn."""
    used = np.flatnonzero(np.nan_to_num(count).any((1, 2)))
    if len(used) < 2:
        raise RunError("a comparison needs at least two documents; part documents by blank lines")
    weights = np.zeros((DRAWS, len(count)))
    weights[:, used] = generator.multinomial(len(used), np.full(len(used), 1 / len(used)), size=DRAWS)
    return weights


def _resample(draws: np.ndarray, total: np.ndarray, count: np.ndarray) -> np.ndarray:
    return _ratio(np.tensordot(draws, total, 1), np.tensordot(draws, count, 1))


def _ratio(total: np.ndarray, count: np.ndarray) -> np.ndarray:
    ratio: np.ndarray = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return ratio


def _curves(
    first: xr.Dataset,
    totals: list[np.ndarray],
    counts: list[np.ndarray],
    names: Sequence[str],
    measures: Sequence[str],
) -> xr.Dataset:
    """Mean over the heads of a layer, by run: (run, stack, layer, measure)."""
    means = np.stack([_ratio(t.sum(0), c.sum(0)) for t, c in zip(totals, counts, strict=True)])
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

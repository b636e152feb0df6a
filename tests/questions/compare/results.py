"""Results of compare made by hand, of any number of heads, measures, pairs and runs."""

from __future__ import annotations

import numpy as np
import xarray as xr

from headscope.results.result import Result


def build_compare(heads: int = 72, measures: int = 4, pairs: int = 1, runs: int = 5) -> Result:
    """Build a comparison of runs."""
    random = np.random.default_rng(1)
    names = [f"L{place // 12}H{place % 12}" for place in range(heads)]
    measure = ["entropy", "attention to [SEP]", "attention to previous", "strongest weight"][:measures]
    difference = random.normal(size=(heads, measures, pairs)) * 0.1
    width = random.uniform(0.02, 0.15, difference.shape)
    dims = ("head", "measure", "pair")
    differences = xr.Dataset(
        {
            "difference": (dims, difference),
            "low": (dims, difference - width),
            "high": (dims, difference + width),
            "significant": (dims, np.abs(difference) > width),
        },
        coords={
            "head": names,
            "measure": measure,
            "pair": [f"run{p} → run{p + 1}" for p in range(pairs)],
        },
    )
    steps = np.cumsum(random.normal(size=(runs, 6, 1, measures)), axis=0) * 0.1 + 2
    curves = xr.Dataset(
        {"value": (("run", "layer", "stack", "measure"), steps)},
        coords={
            "run": [f"step-{1000 * place}" for place in range(runs)],
            "layer": np.arange(6),
            "stack": ["encoder"],
            "measure": measure,
        },
    )
    return Result("compare", arrays={"differences": differences, "curves": curves})

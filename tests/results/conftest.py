"""A small result with everything a run folder must keep: awkward text, missing values, several types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from headscope.results.result import Result

ASKED = {"identity": {"model": "tiny", "options": {"layers": [0, 1], "seed": 3}}}


@pytest.fixture
def asked() -> dict[str, Any]:
    return ASKED


@pytest.fixture
def make_result() -> Callable[[], Result]:
    def make() -> Result:
        heads = xr.Dataset(
            {
                "entropy": (("layer", "head"), np.array([[0.1, -0.0], [np.nan, np.inf]])),
                "count": (("layer", "head"), np.arange(4).reshape(2, 2)),
            },
            coords={"layer": [0, 1], "head": ["L0H0", 'ü "q",\n']},
            attrs={"unit": "nats"},
        )
        table = pd.DataFrame(
            {
                "head": ["L0H0", 'a "b",\n\r長'],
                "entropy": [0.1 + 0.2, np.nan],
                "count": [3, 2**60],
                "kept": [True, False],
            }
        )
        return Result("survey", {"heads": heads}, {"heads": table}, {"seconds": 1.5}, ["One text was empty."])

    return make


@pytest.fixture
def same() -> Callable[[Result, Result], None]:
    def check(read: Result, written: Result) -> None:
        assert read.verb == written.verb
        assert list(read.tables) == list(written.tables)
        assert list(read.arrays) == list(written.arrays)
        for name, table in written.tables.items():
            pd.testing.assert_frame_equal(read.tables[name], table)
        for name, arrays in written.arrays.items():
            xr.testing.assert_identical(read.arrays[name], arrays)
        assert read.notes == written.notes
        assert read.asked.items() >= written.asked.items()

    return check

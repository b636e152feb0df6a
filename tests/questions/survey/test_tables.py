"""Tables of a survey, by hand."""

from __future__ import annotations

import numpy as np
import xarray as xr

from headscope.questions.survey.tables import counts_table


def test_heads_that_look_at_one_thing_are_counted_by_layer() -> None:
    share = np.array([[0.9, 0.6, 0.1, 0.7], [0.1, 0.4, 0.5, 0.2]])
    places = {"target": ["next", "self"], "layer": ("head", [0, 0, 1, 10])}
    table = counts_table(xr.Dataset({"share": (("target", "head"), share)}, coords=places))
    assert table.to_dict("list") == {
        "attention to": ["next", "self"],
        "heads over 50 %": [3, 0],
        "in layers": ["0 x2, 10 x1", ""],
    }

"""Pictures of structure: several series, numbers that are missing, and results that have nothing to draw."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from headscope.questions.pictures import draw
from headscope.questions.structure.pictures import PICTURES
from headscope.results.result import Result
from headscope.results.vocabulary import FALSE_TREES, TRUE_TREE

pytestmark = pytest.mark.filterwarnings("error")
TREES = [TRUE_TREE, *FALSE_TREES]
HEADS = ["L0H0", "L0H1", "L1H0"]


def build(series: int = 1, steps: int = 3, coverage: float = 1.0) -> Result:
    """Numbers made by hand: a checkpoint's KL is its step, and ten times more for each series."""
    rows = [
        {"series": f"s{run}", "checkpoint": f"epoch-{step}", "step": step, "stack": "encoder",
         "target": "parent", "tree": tree, "coverage": coverage, "even": 1.0, "even_all": 1.0,
         **dict.fromkeys(("kl", "kl_all", "low", "high", "all_low", "all_high"), step + 10.0 * run)}
        for run in range(series) for step in range(steps) for tree in TREES
    ]  # fmt: skip
    heads = pd.DataFrame({"head": HEADS, "target": "parent", "kl": [1.0, np.nan, 0.5], "even": 2.0})
    heads = heads.assign(weight=[0.2, 0.3, 0.4], twin=np.nan, **dict.fromkeys(FALSE_TREES, 9.0))
    points = [(f"s{run}", f"epoch-{step}") for run in range(series) for step in range(steps)]
    strip = xr.Dataset(
        {"advantage": (("checkpoint", "head", "target"), np.full((len(points), 3, 1), np.nan))},
        coords={
            "head": HEADS,
            "target": ["parent"],
            "series": ("checkpoint", [run for run, _ in points]),
            "checkpoint": ("checkpoint", [name for _, name in points]),
        },
    )
    return Result(
        "structure", {"structure": strip}, {"structure_curves": pd.DataFrame(rows), "structure": heads}
    )


def test_several_series_are_one_line_with_a_band_between_them() -> None:
    (axes,) = draw("structure_curves", build(series=2)).axes
    assert axes.lines[0].get_ydata().tolist() == [5, 6, 7]
    assert axes.collections[0].get_datalim(axes.transData).height == 12  # from 0 to 12


def test_what_a_mask_hides_has_a_row_of_its_own() -> None:
    upper, lower = draw("structure_curves", build(coverage=0.4)).axes
    assert "count 0" in upper.get_ylabel() and "seen" in lower.get_ylabel()


def test_the_closest_heads_come_first_and_missing_ones_not_at_all() -> None:
    (axes,) = draw("structure_lowest", build()).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["L1H0  40 %", "L0H0  20 %"]
    true, *false = (marks.get_offsets()[:, 0].tolist() for marks in axes.collections)
    assert true == [25, 50]
    assert false[0] == [200, 200]  # what is farther than twice even attention is at the edge


def test_a_strip_without_a_number_is_empty() -> None:
    strip = draw("structure_strip", build(series=2)).axes[0]
    assert np.ma.getmaskarray(strip.collections[0].get_array()).all()


def test_one_checkpoint_has_no_curve() -> None:
    assert [name for name, picture in PICTURES.items() if picture.needs(build(steps=1))] == [
        "structure_lowest"
    ]

"""Pictures of compared runs: differences and curves."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from headscope.drawing.style import DOUBLE, SINGLE
from headscope.questions.pictures import draw
from tests.questions.compare.results import build_compare

pytestmark = pytest.mark.filterwarnings("error")


def test_the_largest_differences_come_first() -> None:
    result = build_compare()
    values = result.arrays["differences"]["difference"].isel(measure=0, pair=0)
    order = np.argsort(-np.abs(values.values))[:20]
    axes = draw("comparison", result).axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == list(values["head"].values[order])
    (dots,) = [one for one in axes.collections if one.get_label() == "run0 → run1"]
    np.testing.assert_array_equal(np.asarray(dots.get_offsets())[:, 0], values.values[order])
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    assert axes.get_xlabel() == "difference in entropy"


def test_intervals_and_significance_are_drawn() -> None:
    result = build_compare(heads=2, measures=1)
    data = result.arrays["differences"]
    data["difference"].values[:, 0, 0] = [0.5, -0.25]
    data["low"].values[:, 0, 0] = [0.25, -0.5]
    data["high"].values[:, 0, 0] = [0.75, 0.125]
    data["significant"].values[:, 0, 0] = [True, False]
    figure = draw("comparison", result)
    bars, dots = figure.axes[0].collections
    assert [tuple(segment[:, 0]) for segment in bars.get_segments()] == [(0.25, 0.75), (-0.5, 0.125)]
    assert tuple(dots.get_facecolors()[1]) == to_rgba("white")
    assert tuple(dots.get_facecolors()[0]) == tuple(dots.get_edgecolors()[0])
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["run0 → run1", "significant", "not significant"]


@pytest.mark.parametrize(("heads", "measures", "pairs"), [(1, 1, 1), (72, 2, 3), (270, 4, 9)])
def test_comparison_of_any_size(heads: int, measures: int, pairs: int) -> None:
    figure = draw("comparison", build_compare(heads=heads, measures=measures, pairs=pairs))
    assert figure.get_figwidth() == (SINGLE if measures == 1 else DOUBLE)
    for axes in figure.axes:
        dots = [one for one in axes.collections if "→" in str(one.get_label())]
        assert len(dots) == min(pairs, 4)
        assert all(len(np.asarray(one.get_offsets())) == min(heads, 20) for one in dots)


def test_undefined_differences_are_left_out() -> None:
    result = build_compare(heads=5, measures=2)
    data = result.arrays["differences"]
    for name in ("difference", "low", "high"):
        data[name].values[1] = np.nan
    axes = draw("comparison", result).axes[0]
    assert "L0H1" not in [text.get_text() for text in axes.get_yticklabels()]


def test_curves_draw_one_line_per_layer() -> None:
    result = build_compare(measures=2)
    value = result.arrays["curves"]["value"]
    figure = draw("curves", result)
    for axes, measure in zip(figure.axes[:2], value["measure"].values, strict=True):
        drawn = {line.get_label(): line.get_ydata() for line in axes.lines}
        assert list(drawn) == [f"layer {layer}" for layer in range(6)]
        expected = value.sel(layer=3, stack="encoder", measure=measure).values
        np.testing.assert_array_equal(drawn["layer 3"], expected)
        assert axes.get_ylabel() == measure
    names = [text.get_text() for text in figure.axes[1].get_xticklabels()]
    assert names == list(result.arrays["curves"]["run"].values)


def test_curves_leave_out_layers_a_stack_does_not_have() -> None:
    result = build_compare(measures=1, runs=1)
    result.arrays["curves"]["value"].loc[{"layer": 5}] = np.nan
    figure = draw("curves", result)
    assert len(figure.axes[0].lines) == 5

"""The pictures of layers."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.drawing.style import TALLEST
from headscope.questions.pictures import available, draw
from tests.questions.layers.results import build_layers
from tests.questions.probe.results import build_probe

pytestmark = pytest.mark.filterwarnings("error")


def test_they_are_drawn_for_their_own_results_alone() -> None:
    assert available(build_layers()) == ["layer_tasks", "layer_cases"]
    assert not {"layer_tasks", "layer_cases"} & set(available(build_probe()))


def test_weights_and_gains_by_expected_layer() -> None:
    figure = draw("layer_tasks", build_layers())
    panels = np.array(figure.axes).reshape(3, 2)
    assert [axes.get_ylabel() for axes in panels[:, 0]] == ["pos", "deps", "srl"]
    heights = [bar.get_height() for bar in panels[1, 1].patches if bar.get_width() == 0.8]
    assert heights == pytest.approx([0, 10, 15, 5])
    assert {text.get_text() for text in panels[1, 1].texts} == {"1.83"}, "the expected layer"
    assert not panels[2, 1].texts, "of srl there is none"
    assert {text.get_text() for text in panels[2, 0].texts} == {"1.50"}, "the center of gravity"


def test_cases_by_label_and_layer() -> None:
    figure = draw("layer_cases", build_layers(("deps",)))
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["A", "B"]
    assert len(axes.patches) == 8 and axes.get_title(loc="left").count("\n") == 2


@pytest.mark.parametrize("layers", [2, 81])
def test_any_number_of_layers_fits(layers: int) -> None:
    result = build_layers(layers=layers)
    for name in ("layer_tasks", "layer_cases"):
        assert draw(name, result).get_figheight() <= TALLEST


def test_numbers_that_are_not_there() -> None:
    result = build_layers()
    result.tables["layer_scores"][["gain", "gain_low", "gain_high", "weight"]] = np.nan
    result.tables["layer_tasks"][["expected", "gravity"]] = np.nan
    result.tables["layer_cases"]["probability"] = np.nan
    assert draw("layer_tasks", result) and draw("layer_cases", result)

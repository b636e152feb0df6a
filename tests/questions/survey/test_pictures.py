"""All pictures of survey: they fit, whatever the model and the numbers."""

from __future__ import annotations

import pytest

from headscope.drawing.style import DOUBLE, SINGLE, TALLEST
from headscope.questions.pictures import draw
from headscope.questions.survey.pictures import PICTURES
from tests.questions.survey.results import build_survey
from tests.sampling import sampled

pytestmark = pytest.mark.filterwarnings("error")
SHAPES = {
    "usual": {"encoder": [12] * 6},
    "one head": {"encoder": [1]},
    "deep": {"encoder": [9] * 30},
    "three stacks": {"encoder": [4] * 3, "decoder": [4] * 2, "cross": [4] * 2},
    "uneven": {"decoder": [12, 3, 1]},
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("shape", sampled(SHAPES, ["one head", "three stacks"]))
def test_every_picture_fits_its_column(name: str, shape: str) -> None:
    figure = draw(name, build_survey(SHAPES[shape]))
    width, height = figure.get_size_inches()
    assert width in (SINGLE, DOUBLE)
    assert 0 < height <= TALLEST
    for axes in figure.axes:
        assert axes.get_window_extent().width > 5, "the layout left no room for a panel"


@pytest.mark.parametrize("name", PICTURES)
def test_causal_model_without_special_tokens(name: str) -> None:
    assert draw(name, build_survey({"decoder": [4, 4]}, special=[], causal=True)).axes


@pytest.mark.parametrize("name", PICTURES)
def test_undefined_numbers_are_left_out(name: str) -> None:
    result = build_survey({"encoder": [3, 3], "cross": [3, 3]})
    heads = result.arrays["heads"]
    floats = [key for key, values in heads.data_vars.items() if values.dtype.kind == "f"]
    for key in floats:
        heads[key] = heads[key].where(heads["stack"] == "encoder").where(heads["head"] != "encoder:L0H1")
    assert draw(name, result).axes

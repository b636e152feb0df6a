"""Grids of heads, one for each relation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from headscope.drawing.style import DOUBLE, SINGLE, TALLEST
from headscope.questions.pictures import draw
from tests.questions.syntax.results import build_syntax
from tests.sampling import sampled

pytestmark = pytest.mark.filterwarnings("error")
THREE = {"encoder": [3, 3], "decoder": [2, 2, 2], "cross": [2, 2, 2]}


def _grids(figure) -> list:
    """The panels with cells; the colour bar has none of them."""
    return [axes for axes in figure.axes if axes.get_visible() and axes.get_label() != "<colorbar>"]


def _cells(axes) -> np.ndarray:
    (mesh,) = axes.collections
    return np.ma.asarray(mesh.get_array())


def _marked(axes) -> list[tuple[float, float]]:
    """Layer and head of the framed cells."""
    frames = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    return [(frame.get_y() + 0.5, frame.get_x() + 0.5) for frame in frames]


def test_six_relations_those_found_first_then_the_largest_gain() -> None:
    result = build_syntax(7)
    table = result.tables["relations"]
    table["offset_accuracy"] = 0.1
    table["accuracy"] = [0.99, 0.5, 0.6, 0.9, 0.3, 0.2, 0.8, 0.4]
    table["found"] = [False, True, True, False, False, False, False, False]
    titles = [axes.get_title("left").strip() for axes in _grids(draw("relation_grid", result))]
    assert titles == ["rel2", "rel1", "rel3", "rel6", "rel7", "rel4"]


def test_cells_are_percent_and_the_best_is_framed() -> None:
    result = build_syntax(1)
    scores = result.arrays["relations"]["accuracy"]
    scores.loc[{"relation": "rel1", "reading": "dep->head"}] = [0.1, 0.2, 0.3, 0.4, 0.75, 0.5]
    figure = draw("relation_grid", result)
    (axes,) = _grids(figure)
    np.testing.assert_allclose(_cells(axes), [[10, 20, 30], [40, 75, 50]])
    assert _marked(axes) == [(1.0, 1.0)]
    assert axes.texts[0].get_text() == "L1H1 75 %, offset 25 %"
    assert axes.get_title("right").strip() == "dep->head"
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "the first layer is on top"


def test_each_relation_has_the_reading_of_its_best_head() -> None:
    result = build_syntax(2)
    result.tables["relations"]["same_data_reading"] = ["dep->head", "head<-dep", "dep->head"]
    shown = {axes.get_title("left").strip(): axes for axes in _grids(draw("relation_grid", result))}
    for relation, reading in (("rel1", "head<-dep"), ("rel2", "dep->head")):
        values = result.arrays["relations"]["accuracy"].sel(relation=relation, reading=reading).values
        np.testing.assert_allclose(_cells(shown[relation]).ravel(), 100 * values)
        assert shown[relation].get_title("right").strip() == reading


def test_found_relations_are_bold() -> None:
    result = build_syntax(2)
    result.tables["relations"]["found"] = [False, True, False]
    titles = [axes._left_title for axes in _grids(draw("relation_grid", result))]
    assert [(title.get_text().strip(), title.get_fontweight()) for title in titles] == [
        ("rel1", "bold"),
        ("rel2", "normal"),
    ]


def test_all_grids_share_their_colours() -> None:
    result = build_syntax(3)
    result.arrays["relations"]["accuracy"][0, 2, 0] = 0.9
    limits = {axes.collections[0].get_clim() for axes in _grids(draw("relation_grid", result))}
    assert limits == {(0.0, 90.0)}


SHAPES = {
    "usual": {"encoder": [12] * 6},
    "large": {"decoder": [25] * 48},
    "one": {"encoder": [1]},
    "three": THREE,
}
SOME = [(9, "usual"), (2, "large"), (1, "one"), (5, "three")]


@pytest.mark.parametrize(("relations", "shape"), sampled(product([1, 2, 4, 5, 9], SHAPES), SOME))
def test_it_fits_any_model(relations: int, shape: str) -> None:
    stacks = SHAPES[shape]
    figure = draw("relation_grid", build_syntax(relations, stacks))
    grids = _grids(figure)
    assert len(grids) == min(relations, 6) * len(stacks)
    assert figure.get_figwidth() in (SINGLE, DOUBLE) and figure.get_figheight() <= TALLEST
    assert sum(len(_marked(axes)) for axes in grids) == min(relations, 6)
    for axes in grids:
        assert axes.get_window_extent().width > 5 and axes.get_window_extent().height > 5
        # The line below the title stands between title and cells.
        below = axes._left_title.get_window_extent().y0 + figure.dpi * 8 / 72
        assert all(text.get_window_extent().y1 <= below + 1 for text in axes.texts)


def test_stacks_stand_beside_each_other_and_one_holds_the_best() -> None:
    result = build_syntax(1, THREE)
    result.arrays["relations"]["accuracy"].loc[{"head": "decoder:L2H1"}] = 0.95
    figure = draw("relation_grid", result)
    encoder, decoder, cross = _grids(figure)
    assert [axes.get_xlabel() for axes in (encoder, decoder, cross)] == [
        f"{stack} head (from 0)" for stack in THREE
    ]
    assert _marked(decoder) == [(2.0, 1.0)] and not _marked(encoder) + _marked(cross)
    assert encoder.texts[0].get_text() == "decoder:L2H1 95 %, offset 25 %"


def test_a_relation_without_scores_says_so() -> None:
    result = build_syntax(2)
    result.arrays["relations"]["accuracy"].loc[{"relation": "rel1"}] = np.nan
    grids = _grids(draw("relation_grid", result))
    (axes,) = [grid for grid in grids if grid.texts[-1].get_text() == "no word to score"]
    assert len(grids) == 2 and not _marked(axes)

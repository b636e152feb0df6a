"""Pictures of cells: roles, offsets, divergences."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.text import Annotation

from headscope import plots
from headscope.plots.style import role_looks

pytestmark = pytest.mark.filterwarnings("error")


def test_roles_colour_each_head_and_leave_missing_heads_empty(survey) -> None:
    result = survey({"encoder": [2, 1]})
    result.arrays["heads"]["role"] = ("head", ["broad", "mixed", "broad"])
    figure = plots.draw("roles", result)
    (mesh,) = figure.axes[0].collections
    cells = np.ma.asarray(mesh.get_array())
    np.testing.assert_array_equal(cells.mask, [[False, False], [False, True]])
    looks = role_looks(["broad", "mixed"])
    colours = mesh.to_rgba(cells)
    assert tuple(colours[0, 0]) == tuple(colours[1, 0]) == to_rgba(looks["broad"].colour)
    assert tuple(colours[0, 1]) == to_rgba(looks["mixed"].colour)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["broad", "mixed"]


def test_roles_put_the_first_layer_on_top_and_write_scores(survey) -> None:
    result = survey({"encoder": [2, 2]})
    result.arrays["heads"]["role_score"] = ("head", [0.25, np.nan, 0.5, 1.0])
    figure = plots.draw("roles", result)
    bottom, top = figure.axes[0].get_ylim()
    assert bottom > top
    written = {(*text.get_position(), text.get_text()) for text in figure.axes[0].texts}
    assert written == {(0, 0, ".25"), (0, 1, ".50"), (1, 1, "1.00")}


def test_roles_write_no_scores_into_small_cells(survey) -> None:
    figure = plots.draw("roles", survey({"encoder": [40, 40]}))
    assert not figure.axes[0].texts


def test_role_colours_do_not_depend_on_what_else_is_there() -> None:
    assert role_looks(["separator"])["separator"] == role_looks(["separator", "broad", "x"])["separator"]


def test_offsets_show_every_head_under_its_layer(survey) -> None:
    result = survey({"encoder": [3, 2]})
    offset = result.arrays["heads"]["offset"].values
    axes = plots.draw("offsets", result).axes[0]
    first, second = axes.images
    np.testing.assert_array_equal(first.get_array(), offset[:3])
    np.testing.assert_array_equal(np.asarray(second.get_array())[:2], offset[3:])
    assert np.ma.getmaskarray(second.get_array())[2].all()
    names = [text.get_text() for text in axes.texts if isinstance(text, Annotation)]
    assert names == ["layer 0", "layer 1"]


def test_offset_numbers_stand_below_their_column(survey) -> None:
    axes = plots.draw("offsets", survey({"encoder": [3]})).axes[0]
    left = axes.images[0].get_extent()[0]
    ticks = dict(zip([text.get_text() for text in axes.get_xticklabels()], axes.get_xticks(), strict=True))
    # Distances run from -8, so that distance 0 is the ninth cell, whose middle is at 8.5.
    assert ticks["0"] - left == 8.5
    assert ticks["-5"] - left == 3.5


def test_offsets_of_a_causal_model_end_at_the_token_itself(survey) -> None:
    axes = plots.draw("offsets", survey({"decoder": [3]}, causal=True)).axes[0]
    assert np.asarray(axes.images[0].get_array()).shape == (3, 9)
    assert axes.get_xticklabels()[-1].get_text() == "0"


def test_offsets_of_several_stacks_name_the_stack(survey) -> None:
    axes = plots.draw("offsets", survey({"encoder": [2, 2], "cross": [2]})).axes[0]
    assert [text.get_text() for text in axes.texts] == ["encoder 0", "encoder 1", "cross 0"]


def test_divergences_are_ordered_by_layer_with_boundaries(survey) -> None:
    result = survey({"encoder": [2, 3]})
    heads = result.arrays["heads"]
    ordered = heads["divergence"].values
    shuffled = heads.isel(head=[4, 0, 2, 1, 3])
    result.arrays["heads"] = shuffled
    axes = plots.draw("divergences", result).axes[0]
    np.testing.assert_array_equal(axes.images[0].get_array(), ordered)
    assert {tuple(line.get_ydata()) for line in axes.lines} == {(1.5, 1.5), (0, 1)}
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0", "1"]
    assert list(axes.get_xticks()) == [0.5, 3.0]


def test_divergences_have_one_square_per_stack(survey) -> None:
    figure = plots.draw("divergences", survey({"encoder": [2, 2], "decoder": [3]}))
    shown = [axes for axes in figure.axes if axes.images]
    assert [axes.get_title("left") for axes in shown] == ["encoder", "decoder"]
    assert [np.asarray(axes.images[0].get_array()).shape for axes in shown] == [(4, 4), (3, 3)]

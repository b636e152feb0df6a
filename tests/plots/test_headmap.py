"""The map of heads."""

from __future__ import annotations

import numpy as np
import pytest

from headscope import plots

pytestmark = pytest.mark.filterwarnings("error")


def _points(axes) -> np.ndarray:
    return np.concatenate([np.asarray(dots.get_offsets()) for dots in axes.collections])


def test_every_head_is_drawn_twice_at_its_place(survey) -> None:
    result = survey()
    places = result.arrays["heads"]["position"].values
    by_role, by_layer = plots.draw("headmap", result).axes[:2]
    np.testing.assert_array_equal(np.sort(_points(by_role), axis=0), np.sort(places, axis=0))
    np.testing.assert_array_equal(_points(by_layer), places)
    np.testing.assert_array_equal(by_layer.collections[0].get_array(), result.arrays["heads"]["layer"].values)


def test_roles_are_named_and_stress_is_printed(survey) -> None:
    result = survey({"encoder": [2]})
    result.arrays["heads"]["role"] = ("head", ["separator", "broad"])
    figure = plots.draw("headmap", result)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["separator", "broad"]
    assert figure.axes[0].get_title("right") == "stress 0.123"
    separator = next(dots for dots in figure.axes[0].collections if dots.get_label() == "separator")
    np.testing.assert_array_equal(separator.get_offsets(), result.arrays["heads"]["position"].values[:1])


def test_each_stack_has_its_row(survey) -> None:
    figure = plots.draw("headmap", survey({"encoder": [2], "decoder": [3], "cross": [4]}))
    titled = {axes.get_title("left"): axes for axes in figure.axes if axes.get_title("left")}
    sizes = {title: len(_points(axes)) for title, axes in titled.items()}
    assert sizes == {
        f"{stack} by {colour}": count
        for stack, count in (("encoder", 2), ("decoder", 3), ("cross", 4))
        for colour in ("role", "layer")
    }


def test_distances_are_true_in_both_directions(survey) -> None:
    axes = plots.draw("headmap", survey()).axes[0]
    assert axes.get_aspect() == 1.0


def test_roles_are_optional(survey) -> None:
    result = survey({"encoder": [2, 2]})
    result.arrays["heads"] = result.arrays["heads"].drop_vars("role")
    figure = plots.draw("headmap", result)
    assert len(_points(figure.axes[0])) == 4

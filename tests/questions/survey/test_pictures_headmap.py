"""The map of heads."""

from __future__ import annotations

from tempfile import TemporaryDirectory

import numpy as np
import pytest
from matplotlib.text import Text

from headscope.drawing.files import save
from headscope.drawing.style import INK
from headscope.questions.pictures import draw
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def _points(axes) -> np.ndarray:
    return np.concatenate([np.asarray(dots.get_offsets()) for dots in axes.collections])


def _sizes(figure) -> dict[str, int]:
    titled = {axes.get_title("left"): axes for axes in figure.axes if axes.get_title("left")}
    return {title: len(_points(axes)) for title, axes in titled.items()}


def test_every_head_is_drawn_twice_at_its_place() -> None:
    result = build_survey()
    places = result.arrays["heads"]["position"].values
    by_role, by_layer = draw("headmap", result).axes[:2]
    np.testing.assert_array_equal(np.sort(_points(by_role), axis=0), np.sort(places, axis=0))
    np.testing.assert_array_equal(_points(by_layer), places)
    np.testing.assert_array_equal(by_layer.collections[0].get_array(), result.arrays["heads"]["layer"].values)


def test_roles_are_named_and_stress_is_printed() -> None:
    result = build_survey({"encoder": [2]})
    result.arrays["heads"]["role"] = ("head", ["separator", "broad"])
    figure = draw("headmap", result)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["separator", "broad"]
    assert figure.axes[0].get_title("right") == "stress 0.123"
    separator = next(dots for dots in figure.axes[0].collections if dots.get_label() == "separator")
    np.testing.assert_array_equal(separator.get_offsets(), result.arrays["heads"]["position"].values[:1])


def test_each_stack_has_its_row() -> None:
    figure = draw("headmap", build_survey({"encoder": [1, 1], "decoder": [1, 2], "cross": [2, 2]}))
    assert _sizes(figure) == {
        f"{stack} by {colour}": count
        for stack, count in (("encoder", 2), ("decoder", 3), ("cross", 4))
        for colour in ("role", "layer")
    }


def test_stacks_of_one_layer_stand_beside_each_other() -> None:
    figure = draw("headmap", build_survey({"encoder": [2], "decoder": [3], "cross": [4]}))
    assert _sizes(figure) == {"encoder by role": 2, "decoder by role": 3, "cross by role": 4}
    assert [axes.axison for axes in figure.axes] == [True, True, True, False]


def test_distances_are_true_in_both_directions() -> None:
    axes = draw("headmap", build_survey()).axes[0]
    assert axes.get_aspect() == 1.0


def test_roles_are_optional() -> None:
    result = build_survey({"encoder": [2, 2]})
    result.arrays["heads"] = result.arrays["heads"].drop_vars("role")
    figure = draw("headmap", result)
    assert len(_points(figure.axes[0])) == 4


def _named(names: dict[str, str], stacks: dict[str, list[int]] | None = None):
    result = build_survey(stacks)
    heads = result.arrays["heads"]
    heads["name"] = ("head", [names.get(str(head), "") for head in heads["head"].values])
    return result


def test_names_stand_beside_their_heads_in_black() -> None:
    result = _named({"L0H3": "obj", "L4H7": "det, case"})
    by_role, by_layer = draw("headmap", result).axes[:2]
    places = result.arrays["heads"]["position"].sel(head=["L0H3", "L4H7"]).values
    assert [text.get_text() for text in by_role.texts] == ["obj", "det, case"]
    np.testing.assert_array_equal([text.xy for text in by_role.texts], places)
    assert {text.get_color() for text in by_role.texts} == {INK}
    assert not by_layer.texts
    for text, place in zip(by_role.texts, places, strict=True):
        box, point = Text.get_window_extent(text), by_role.transData.transform(place)
        assert not box.contains(*point), "a name does not hide its head"
        assert np.hypot(*(np.clip(point, box.min, box.max) - point)) < 0.5 * by_role.figure.dpi


def test_names_do_not_cover_each_other_and_stay_inside() -> None:
    names = {f"L{layer}H{index}": "compound, det" for layer in (1, 2, 3) for index in range(4)}
    axes = draw("headmap", _named(names)).axes[0]
    boxes = [Text.get_window_extent(text) for text in axes.texts]  # without the line to the head
    assert len(boxes) == 12
    for place, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[place + 1 :])
        assert axes.get_window_extent().padded(2).containsx(one.x0)
        assert axes.get_window_extent().padded(2).containsx(one.x1)


def test_names_do_not_move_the_picture() -> None:
    plain = draw("headmap", build_survey())
    named = draw("headmap", _named({"L0H3": "a very long name of something known"}))
    for one, two in zip(plain.axes, named.axes, strict=True):
        np.testing.assert_allclose(one.get_position().bounds, two.get_position().bounds, atol=1e-3)
    assert not any(text.get_in_layout() for text in named.axes[0].texts)


def test_named_heads_lie_on_top() -> None:
    result = _named({"L0H0": "obj"}, {"encoder": [2]})
    result.arrays["heads"]["role"] = ("head", ["syntax", "mixed"])
    orders = {dots.get_label(): dots.get_zorder() for dots in draw("headmap", result).axes[0].collections}
    assert orders["syntax"] > orders["mixed"]


def test_empty_names_change_nothing() -> None:
    empty, none = draw("headmap", _named({})), draw("headmap", build_survey())
    assert not empty.axes[0].texts
    assert _bytes(empty) == _bytes(none)


def _bytes(figure) -> bytes:
    with TemporaryDirectory() as folder:
        (path,) = save(figure, folder, "picture", ("svg",))
        return path.read_bytes()


def test_each_stack_has_its_names() -> None:
    stacks = {"encoder": [2], "decoder": [3]}
    figure = draw("headmap", _named({"decoder:L0H2": "obj"}, stacks))
    titled = {axes.get_title("left"): [text.get_text() for text in axes.texts] for axes in figure.axes}
    assert titled["decoder by role"] == ["obj"] and titled["encoder by role"] == []

"""Pictures over layers: shares, gradients, entropy."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headscope.questions.pictures import available, draw
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def _heights(figure: Figure, label: str) -> np.ndarray:
    """The vertical places of all points of that label."""
    found = [dots for axes in figure.axes for dots in axes.collections if dots.get_label() == label]
    return np.concatenate([np.asarray(dots.get_offsets())[:, 1] for dots in found])


def _line(axes: Axes, label: str) -> np.ndarray:
    (line,) = [line for line in axes.lines if line.get_label() == label]
    return np.asarray(line.get_xydata())


def _labels(figure: Figure) -> list[str]:
    legends = [axes.get_legend() for axes in figure.axes]
    return [text.get_text() for legend in legends if legend for text in legend.get_texts()]


@pytest.mark.parametrize(
    ("target", "label"),
    [
        ("previous", "previous token"),
        ("next", "next token"),
        ("self", "same token"),
        ("[SEP]", "[SEP]"),
        ("[CLS]", "[CLS]"),
        (". or ,", ". or ,"),
    ],
)
def test_shares_has_one_point_per_head_at_its_share(target: str, label: str) -> None:
    result = build_survey()
    figure = draw("shares", result)
    np.testing.assert_array_equal(
        _heights(figure, label), result.arrays["heads"]["share"].sel(target=target).values
    )


def test_shares_tell_attention_from_itself_from_that_of_others() -> None:
    result = build_survey()
    special = result.arrays["heads"]["special"].sel(kind="[SEP]")
    figure = draw("shares", result)
    np.testing.assert_array_equal(_heights(figure, "[SEP] → [SEP]"), special.sel(origin="itself").values)
    np.testing.assert_array_equal(_heights(figure, "other → [SEP]"), special.sel(origin="other").values)


def test_points_stand_near_their_layer() -> None:
    result = build_survey()
    figure = draw("shares", result)
    dots = [one for axes in figure.axes for one in axes.collections if one.get_label() == "previous token"]
    places = np.asarray(dots[0].get_offsets())[:, 0]
    np.testing.assert_array_equal(np.round(places), result.arrays["heads"]["layer"].values)


def test_shares_of_a_causal_model_show_no_next_token() -> None:
    figure = draw("shares", build_survey({"decoder": [4, 4]}, special=[], causal=True))
    labels = _labels(figure)
    assert "next token" not in labels
    assert {"first token", ". or ,", "previous token", "same token"} <= set(labels)
    assert not any("→" in label for label in labels)


def test_shares_have_one_column_per_stack() -> None:
    figure = draw("shares", build_survey({"encoder": [2], "decoder": [2], "cross": [2]}))
    assert [axes.get_title("left") for axes in figure.axes if axes.lines] == [
        "encoder",
        "decoder",
        "cross",
    ] * 3
    assert len(_heights(figure, "previous token")) == 6


def test_special_names_may_be_a_list_or_its_json() -> None:
    written = build_survey({"encoder": [2]})
    kept = build_survey({"encoder": [2]})
    kept.arrays["heads"].attrs["special"] = ["[CLS]", "[SEP]"]
    assert _labels(draw("shares", kept)) == _labels(draw("shares", written))
    assert _labels(draw("shares", kept))[:3] == ["[CLS]", "[SEP]", ". or ,"]


def test_shares_need_a_target_they_can_show() -> None:
    result = build_survey({"encoder": [2]}, special=[])
    heads = result.arrays["heads"]
    result.arrays["heads"] = heads.sel(target=["first"]).assign_coords(target=["somewhere"])
    assert "shares" not in available(result)
    result.arrays["heads"] = heads.sel(target=["self"])
    assert _labels(draw("shares", result)) == ["same token", "if uniform"]


def test_entropy_draws_heads_means_and_the_uniform_level() -> None:
    result = build_survey({"encoder": [2, 2]})
    heads = result.arrays["heads"]
    heads["entropy"] = ("head", [1.0, 3.0, 2.0, np.nan])
    heads["entropy_uniform"] = ("head", [4.0, 4.0, 4.0, 4.0])
    figure = draw("entropy", result)
    first, second = [axes for axes in figure.axes if axes.lines]
    points = np.asarray(first.collections[0].get_offsets())
    np.testing.assert_array_equal(points, [[0, 1.0], [0, 3.0], [1, 2.0]])
    np.testing.assert_array_equal(_line(first, "mean heads, and their mean"), [[0, 2.0], [1, 2.0]])
    level = [line for line in first.lines if line.get_linestyle() == "--"]
    np.testing.assert_array_equal(level[0].get_ydata(), [4.0] * 4)
    edge = np.asarray(second.collections[0].get_offsets())[:, 1]
    np.testing.assert_array_equal(edge, heads["entropy_edge"].values)
    assert first.get_ylim()[0] == 0.0 and first.get_ylim()[1] > 4.0


def test_entropy_says_which_token_is_the_edge() -> None:
    figure = draw("entropy", build_survey())
    titles = [axes.get_legend().get_title().get_text() for axes in figure.axes if axes.get_legend()]
    assert titles == ["Entropy of attention, all tokens", "Entropy of attention, first token alone"]


def test_entropy_of_a_causal_edge_has_its_own_uniform_level_or_none() -> None:
    result = build_survey({"decoder": [1]}, causal=True)
    heads = result.arrays["heads"]
    heads["entropy_edge"].attrs["edge"] = "last token"
    _, edge = [axes for axes in draw("entropy", result).axes if axes.lines]
    assert [line for line in edge.lines if line.get_linestyle() == "--"] == []
    heads["entropy_last_uniform"] = ("head", [4.5])
    _, edge = [axes for axes in draw("entropy", result).axes if axes.lines]
    (level,) = [line for line in edge.lines if line.get_linestyle() == "--"]
    assert set(level.get_ydata()) == {4.5}


def test_entropy_without_the_edge_has_one_panel() -> None:
    result = build_survey()
    result.arrays["heads"] = result.arrays["heads"].drop_vars(["entropy_edge", "entropy_uniform"])
    figure = draw("entropy", result)
    assert len([axes for axes in figure.axes if axes.lines]) == 1
    assert "if uniform" not in _labels(figure)


def test_gradients_draw_the_mean_of_each_layer() -> None:
    result = build_survey({"encoder": [2, 2]})
    heads = result.arrays["heads"]
    heads["gradient"].loc[{"key": "[SEP]"}] = [1.0, 2.0, 5.0, 7.0]
    figure = draw("gradients", result)
    (axes,) = [axes for axes in figure.axes if axes.lines]
    np.testing.assert_array_equal(_line(axes, "mean [SEP]"), [[0, 1.5], [1, 6.0]])
    assert _labels(figure) == ["all tokens", "[SEP]", ". or ,"]
    assert axes.get_xlabel() == "layer (from 0)"


def test_layer_ticks_are_whole_numbers() -> None:
    figure = draw("gradients", build_survey({"encoder": [2, 2]}))
    (axes,) = [axes for axes in figure.axes if axes.lines]
    ticks = [tick for tick in axes.get_xticks() if axes.get_xlim()[0] <= tick <= axes.get_xlim()[1]]
    assert ticks == [0, 1]


def test_lines_of_all_series_meet_their_ticks() -> None:
    figure = draw("shares", build_survey({"encoder": [3, 3]}))
    means = [line for axes in figure.axes for line in axes.lines if str(line.get_label()).startswith("mean")]
    assert len(means) == 10 and all(line.get_xdata().tolist() == [0, 1] for line in means)
    dots = [part for axes in figure.axes for part in axes.collections]
    places = [np.asarray(part.get_offsets())[:, 0] for part in dots]
    assert all((np.abs(place - np.round(place)) < 0.4).all() for place in places), (
        "inside the band of a layer"
    )


def test_empty_panels_are_dropped() -> None:
    result = build_survey({"encoder": [2], "cross": [2]})
    heads = result.arrays["heads"]
    heads["share"].loc[{"target": ["self", "previous", "next"], "head": heads["stack"] == "cross"}] = np.nan
    figure = draw("shares", result)
    drawn = [axes for axes in figure.axes if axes.lines]
    assert [axes.get_title("left") for axes in drawn] == ["encoder", "cross", "encoder", "cross", "encoder"]
    labelled = [axes.get_title("left") for axes in drawn if axes.get_xlabel()]
    assert labelled == ["cross", "encoder"], "the lowest of each column"
    heads["special"][:] = 0  # as in a text without special tokens
    titles = [
        axes.get_legend().get_title().get_text() for axes in draw("shares", result).axes if axes.get_legend()
    ]
    assert titles == ["Special tokens and punctuation", "Near positions"]

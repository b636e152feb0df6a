"""The pictures of ablation: by head, by layer, on two data sets, beside importance."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, SINGLE, TALLEST
from headscope.questions.pictures import available, draw
from headscope.results.result import Result
from tests.questions.ablate.results import build_ablation
from tests.questions.survey.results import build_survey
from tests.sampling import sampled

pytestmark = pytest.mark.filterwarnings("error")
NAMES = ["ablation", "ablation_layers", "ablation_agreement", "importance"]
SHAPES = {
    "usual": {"encoder": [12] * 6},
    "one head": {"encoder": [1]},
    "deep": {"encoder": [9] * 30},
    "wide": {"decoder": [32] * 32},
    "three stacks": {"encoder": [8] * 6, "decoder": [8] * 6, "cross": [8] * 6},
    "uneven": {"decoder": [12, 3, 1]},
}


def _legend(figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_they_are_drawn_for_their_own_results_alone() -> None:
    assert available(build_ablation()) == NAMES
    assert "ablation_agreement" not in available(build_ablation(other=False))
    assert not set(NAMES) & set(available(build_survey()))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", sampled(SHAPES, ["one head", "uneven"]))
def test_every_picture_fits_its_column(name: str, shape: str) -> None:
    figure = draw(name, build_ablation(SHAPES[shape]))
    width, height = figure.get_size_inches()
    assert width in (SINGLE, DOUBLE) and 0 < height <= TALLEST
    for axes in figure.axes:
        assert axes.get_window_extent().width > 5 and axes.get_window_extent().height > 5


def _two_by_three(effect: list[float], verdict: list[str]) -> Result:
    result = build_ablation({"encoder": [3, 3]})
    heads = result.arrays["ablation"]
    heads["effect"], heads["verdict"] = ("head", effect), ("head", verdict)
    return result


def test_numbers_are_points_and_significant_ones_stand_out() -> None:
    verdict = ["worse", "better", "harmless", "undecided", "undecided", "harmless"]
    figure = draw("ablation", _two_by_three([-0.0312, 0.015, 0.0, -0.00001, np.nan, 0.001], verdict))
    axes = figure.axes[0]
    told = {text.get_position(): (text.get_text(), text.get_fontweight()) for text in axes.texts}
    assert told == {
        (0, 0): ("−3.12", "bold"),
        (1, 0): ("1.50", "bold"),
        (2, 0): ("0.00", "normal"),
        (0, 1): ("0.00", "normal"),
        (2, 1): ("0.10", "normal"),
    }
    lines = [part for part in axes.collections if part.get_label() in ("worse", "better")]
    middles = [part.get_segments()[0].mean(0) for part in lines]
    assert [round(x) for x, _ in middles] == [0, 1] and all(0.2 < y < 0.5 for _, y in middles)
    dots = [(round(dot.get_xdata()[0]), round(dot.get_ydata()[0])) for dot in axes.lines]
    assert dots == [(2, 0), (2, 1)], "harmless ones"
    assert axes.get_ylim() == (1.5, -0.5), "the first layer is on top"


def test_title_and_legend_tell_what_is_seen() -> None:
    verdict = ["worse", "better", "harmless", "undecided", "undecided", "harmless"]
    figure = draw("ablation", _two_by_three([-0.03, 0.015, 0.0, 0.0, 0.0, 0.0], verdict))
    assert figure.get_suptitle() == "accuracy 91.28 on sst2-dev"
    assert _legend(figure) == [
        "worse or better (p ≤ 0.05, corrected)",
        "harmless (a loss of 1 point is excluded)",
        "pale, no mark: undecided",
    ]
    figure = draw("ablation", _two_by_three([0.0] * 6, ["undecided"] * 6))
    assert _legend(figure) == ["pale, no mark: undecided"]


def test_colours_are_white_at_nothing_and_red_where_worse() -> None:
    figure = draw("ablation", _two_by_three([-0.03, 0.03, 0, 0, 0, 0], ["undecided"] * 6))
    mesh = figure.axes[0].collections[0]
    worse, better, nothing = mesh.to_rgba(np.array([-3.0, 3.0, 0.0]))[:, :3]
    assert worse[0] > 2 * worse[2] and better[2] > 2 * better[0]
    assert nothing.min() > 0.95


def _cells(figure) -> np.ndarray:
    """The colours of cells, (cell, rgb), on white paper."""
    figure.draw_without_rendering()
    colours = figure.axes[0].collections[0].get_facecolors()
    return 1 - colours[:, 3:] * (1 - colours[:, :3])


def test_what_chance_alone_gives_has_no_strong_colour() -> None:
    result = _two_by_three([0.005, -0.005, 0.004, 0.0, 0.001, 0.002], ["undecided"] * 6)
    heads = result.arrays["ablation"]
    heads["low"], heads["high"] = heads["effect"] - 0.02, heads["effect"] + 0.02
    figure = draw("ablation", result)
    assert figure.axes[0].collections[0].norm.vmax == pytest.approx(2.0), "half of the usual interval"
    assert _cells(figure).min() > 0.9
    heads["effect"], heads["verdict"] = ("head", [-0.05] * 6), ("head", ["worse"] * 3 + ["undecided"] * 3)
    cells = _cells(draw("ablation", result))
    assert cells[:3].min(axis=1).max() < 0.2, "far beyond chance, colours are strong"
    assert cells[3:].min() > 0.6, "what is undecided is pale, however large"


def test_cells_too_small_for_numbers_are_framed() -> None:
    result = build_ablation({"encoder": [48] * 2})
    worse = int((result.arrays["ablation"]["verdict"] == "worse").sum())
    harmless = int((result.arrays["ablation"]["verdict"] == "harmless").sum())
    axes = draw("ablation", result).axes[0]
    assert not axes.texts and worse > 0
    assert len(axes.patches) == worse and len(axes.lines) == harmless


def test_numbers_lose_digits_before_they_are_left_out() -> None:
    wide = draw("ablation", build_ablation({"encoder": [12] * 2})).axes[0]
    narrow = draw("ablation", build_ablation({"encoder": [22] * 2})).axes[0]
    assert {len(text.get_text().partition(".")[2]) for text in wide.texts} == {2}
    assert {len(text.get_text().partition(".")[2]) for text in narrow.texts} == {1}
    for text in narrow.texts:
        box = text.get_window_extent()
        left, right = narrow.transData.transform([[0, 0], [1, 0]])[:, 0]
        assert box.width < right - left


def test_stacks_have_grids_of_their_own() -> None:
    figure = draw("ablation", build_ablation(SHAPES["three stacks"]))
    grids = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    assert [axes.get_title("left") for axes in grids] == ["encoder", "decoder", "cross"]
    assert all(len(axes.texts) == 48 for axes in grids)


def _points(axes) -> dict[str, PathCollection]:
    return {str(part.get_label()): part for part in axes.collections if isinstance(part, PathCollection)}


def test_layers_show_both_kinds_with_intervals_and_the_head_kept() -> None:
    result = build_ablation({"encoder": [4] * 3})
    table = result.tables["ablation_layers"]
    table["effect"], table["low"], table["high"] = np.arange(6) / -100, np.arange(6) / -100 - 0.01, 0.01
    table["verdict"] = ["worse", "undecided", "harmless"] * 2
    figure = draw("ablation_layers", result)
    (axes,) = figure.axes
    points = _points(axes)
    np.testing.assert_allclose(points["all heads"].get_offsets()[:, 1], [0, -1, -2])
    np.testing.assert_allclose(points["all but one"].get_offsets()[:, 1], [-3, -4, -5])
    assert (points["all heads"].get_offsets()[:, 0] < [0, 1, 2]).all()
    faces = [to_hex(face).upper() for face in points["all but one"].get_facecolors()]
    assert faces[0] == COLOURS[0] and faces[1] == "#FFFFFF" and len(set(faces)) == 3
    segments = [part for lines in axes.collections[:-1] for part in getattr(lines, "get_segments", list)()]
    assert any(np.allclose(part[:, 1], [-4, 1]) for part in segments)
    assert [text.get_text() for text in axes.texts] == ["H1"] * 3
    assert axes.get_yscale() == "linear" and axes.get_ylabel() == "change of accuracy (points)"


def test_layers_of_very_different_effects_share_a_scale_that_shows_both() -> None:
    result = build_ablation({"encoder": [4] * 3})
    result.tables["ablation_layers"].loc[0, ["effect", "low", "high"]] = [-0.41, -0.43, -0.39]
    axes = draw("ablation_layers", result).axes[0]
    assert axes.get_yscale() == "symlog" and axes.get_ylim()[0] < -43
    shown = [text.get_text() for text in axes.get_yticklabels()]
    assert {"−30", "−10", "−1", "0"} <= set(shown)


def test_layers_of_one_example_have_no_intervals() -> None:
    result = build_ablation({"encoder": [4] * 3})
    result.tables["ablation_layers"][["low", "high"]] = np.nan
    axes = draw("ablation_layers", result).axes[0]
    assert axes.get_yscale() == "linear"


def test_layers_without_a_head_to_keep() -> None:
    result = build_ablation({"encoder": [4] * 3})
    table = result.tables["ablation_layers"]
    result.tables["ablation_layers"] = table[table["removed"] == "all heads"]
    figure = draw("ablation_layers", result)
    assert list(_points(figure.axes[0])) == ["all heads"] and not figure.axes[0].texts
    np.testing.assert_allclose(_points(figure.axes[0])["all heads"].get_offsets()[:, 0], [0, 1, 2])
    assert not any("but one" in label for label in _legend(figure))


def test_agreement_tells_correlations_and_names_what_stands_out() -> None:
    result = build_ablation()
    both = result.tables["ablation_both"]
    both["effect"], both["other_effect"] = 0.001, -0.001
    both.loc[[3, 70], "effect"], both.loc[3, "other_effect"] = [-0.04, 0.02], -0.03
    axes = draw("ablation_agreement", result).axes[0]
    assert axes.get_title("left") == "r 0.68 (0.54 to 0.79)    rank ρ 0.41 (0.27 to 0.52)"
    assert {text.get_text() for text in axes.texts if isinstance(text, Annotation)} == {"L0H3", "L5H10"}
    assert axes.get_xlabel() == "change on dev (points)"
    assert axes.get_ylabel() == "change on reviews (points)"
    np.testing.assert_allclose(_points(axes)["encoder"].get_offsets()[3], [-4, -3])
    assert axes.get_xlim() == axes.get_ylim()
    (equal,) = [line for line in axes.lines if line.get_label() == "equal"]
    assert list(equal.get_xdata()) == list(equal.get_ydata())


def test_agreement_without_correlations_and_with_unknown_effects() -> None:
    result = build_ablation()
    del result.tables["ablation_agreement"]
    result.tables["ablation_both"].loc[4, "other_effect"] = np.nan
    axes = draw("ablation_agreement", result).axes[0]
    assert axes.get_title("left") == "" and axes.get_ylabel() == "change on other data (points)"
    assert len(_points(axes)["encoder"].get_offsets()) == 71
    result.tables["ablation_both"]["effect"] = np.nan
    assert "ablation_agreement" not in available(result)


def test_importance_shows_every_head_twice_and_all_correlations() -> None:
    result = build_ablation({"encoder": [3, 3]})
    table = result.table("importance")
    figure = draw("importance", result)
    grid = next(axes for axes in figure.axes if axes.get_xlabel() == "head (from 0)")
    np.testing.assert_allclose(np.ravel(grid.collections[0].get_array()), table["example"])
    cloud = next(axes for axes in figure.axes if axes.get_xlabel() == "importance")
    np.testing.assert_allclose(_points(cloud)["encoder"].get_offsets(), table[["example", "loss_effect"]])
    assert str(table.loc[table["loss_effect"].idxmax(), "head"]) in {text.get_text() for text in cloud.texts}
    forest = next(axes for axes in figure.axes if axes.get_xlabel() == "rank correlation with harm")
    assert [label.get_text() for label in forest.get_yticklabels()] == [
        "importance",
        "importance, by layer",
        "importance by token",
        "by token, by layer",
        "confidence",
    ]
    drawn = {str(line.get_label()): list(line.get_xdata()) for line in forest.lines}
    assert drawn["with the loss"] == [0.62, 0.55, 0.1, 0.5, 0.45]
    assert {"0.62", "−0.10"} <= {text.get_text() for text in forest.texts}


def test_importance_without_correlations_zero_and_unknown_scores() -> None:
    result = build_ablation({"encoder": [3, 3]})
    del result.tables["importance_agreement"]
    result.tables["importance"].loc[0, ["example", "loss_effect"]] = [0.0, np.nan]
    result.tables["importance"].loc[1, "example"] = np.nan
    figure = draw("importance", result)
    cloud = next(axes for axes in figure.axes if axes.get_xlabel() == "importance")
    assert cloud.get_xscale() == "linear", "0 has no logarithm"
    result.tables["importance"]["example"] = 0.0
    assert draw("importance", result).axes


def test_a_score_that_no_head_changes_has_no_correlations() -> None:
    result = build_ablation({"encoder": [3, 3]})
    agreement = result.tables["importance_agreement"]
    agreement.loc[agreement["against"] == "metric", ["spearman", "low", "high"]] = np.nan
    (forest,) = (axes for axes in draw("importance", result).axes if "correlation" in axes.get_xlabel())
    assert [text.get_text() for text in forest.get_legend().get_texts()] == ["with the loss"]
    assert not any("nan" in text.get_text() for text in forest.texts)

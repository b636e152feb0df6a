"""The pictures of pruning: what is left of the score, and what is won in speed."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.drawing.style import DOUBLE, SINGLE, TALLEST
from headscope.questions.pictures import available, draw
from tests.questions.prune.results import ORDERS, build_pruning
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def _lines(axes) -> dict[str, np.ndarray]:
    return {str(line.get_label()): np.column_stack(line.get_data()) for line in axes.lines}


def test_they_are_drawn_for_their_own_results_alone() -> None:
    assert available(build_pruning()) == ["pruning", "pruning_speed"]
    assert not {"pruning", "pruning_speed"} & set(available(build_survey()))


def test_a_line_per_order_and_the_untouched_score() -> None:
    result = build_pruning()
    table = result.table("pruning")
    (axes,) = draw("pruning", result).axes
    lines = _lines(axes)
    assert list(lines) == ["base", "random", *ORDERS]
    for order in ORDERS:
        part = table[table["order"] == order]
        np.testing.assert_allclose(lines[order], np.column_stack([part["share"], 100 * part["score"]]))
    assert set(lines["base"][:, 1]) == {100 * table["score"].iloc[0]}
    assert axes.get_ylabel() == "accuracy (points)" and axes.get_xlabel() == "heads removed"


def test_random_orders_are_a_median_in_a_band() -> None:
    result = build_pruning(runs=41)
    table = result.tables["pruning"]
    half = (table["order"] == "random") & np.isclose(table["share"], 0.5)
    table.loc[half, "score"] = np.linspace(0.4, 0.8, 41)
    (axes,) = draw("pruning", result).axes
    middle = _lines(axes)["random"]
    assert middle[5].tolist() == pytest.approx([0.5, 60.0])
    (band,) = axes.collections
    corners = band.get_paths()[0].vertices
    edges = corners[np.isclose(corners[:, 0], 0.5), 1]
    assert (edges.min(), edges.max()) == pytest.approx((41, 79))


def test_legend_names_orders_and_how_many_random_ones() -> None:
    figure = draw("pruning", build_pruning(runs=20))
    told = [text.get_text() for text in figure.legends[0].get_texts()]
    assert told == [*ORDERS, "20 random orders, median", "central 95 % of them", "whole model"]
    figure = draw("pruning", build_pruning(runs=0))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [*ORDERS, "whole model"]


def test_an_order_keeps_its_look_and_an_unknown_one_has_its_own() -> None:
    result = build_pruning()
    colours = {line.get_label(): line.get_color() for line in draw("pruning", result).axes[0].lines}
    table = result.tables["pruning"]
    kept = table[table["order"].isin(["gates", "reversed"])]
    result.tables["pruning"] = kept.replace({"order": {"reversed": "by hand"}})
    fewer = {line.get_label(): line.get_color() for line in draw("pruning", result).axes[0].lines}
    assert fewer["gates"] == colours["gates"] and fewer["by hand"] != fewer["gates"]


@pytest.mark.parametrize("tasks", [1, 2, 3, 6])
def test_a_panel_per_task(tasks: int) -> None:
    figure = draw("pruning", build_pruning(tasks))
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert len(shown) == tasks
    assert figure.get_figwidth() == (SINGLE if tasks == 1 else DOUBLE) and figure.get_figheight() <= TALLEST
    titles = [axes.get_title("left") for axes in shown]
    assert titles == ([""] if tasks == 1 else [f"task {place}" for place in range(tasks)])
    assert sum(axes.get_xlabel() == "heads removed" for axes in shown) == min(tasks, 2)


def test_speed_by_share_and_by_batch_size() -> None:
    result = build_pruning()
    curve, speed = result.table("speed_curve"), result.table("speed")
    left, right = draw("pruning_speed", result).axes
    lines = _lines(left)
    np.testing.assert_allclose(lines["batch of 16"], curve[["share", "ratio"]])
    np.testing.assert_allclose(lines["ceiling"], curve[["share", "ceiling"]])
    assert left.get_title("left") == "batches of 16"
    np.testing.assert_allclose(_lines(right)["ratio"][:, 1], speed["ratio"])
    assert [label.get_text() for label in right.get_xticklabels()] == [
        "1\n17.0 → 17.3",
        "4\n67.3 → 69.1",
        "16\n114 → 134",
        "64\n125 → 147",
    ]
    assert [text.get_text() for text in right.texts] == ["+1.8 %", "+2.7 %", "+17.5 %", "+17.6 %"]
    ceilings = next(part for part in right.collections if part.get_label() == "ceiling")
    assert {segment[0, 1] for segment in ceilings.get_segments()} == {1.24}


def test_speed_tells_the_share_where_it_is_known_and_several_batch_sizes() -> None:
    result = build_pruning()
    result.tables["speed"]["share"] = 0.5
    curve = result.tables["speed_curve"]
    curve.loc[2:, "batch_size"] = 64
    left, right = draw("pruning_speed", result).axes
    assert right.get_title("left") == "50 % of the heads removed"
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["batch of 16", "batch of 64"]


@pytest.mark.parametrize("missing", ["speed", "speed_curve"])
def test_half_of_the_speeds_is_drawn_alone(missing: str) -> None:
    result = build_pruning()
    del result.tables[missing]
    figure = draw("pruning_speed", result)
    assert len(figure.axes) == 1 and figure.get_figwidth() == SINGLE
    assert figure.axes[0].get_ylabel() == "speed, before = 1"


def test_nothing_measured_is_no_picture() -> None:
    result = build_pruning()
    for name in ("speed", "speed_curve"):
        result.tables[name]["ratio"] = np.nan
    result.tables["pruning"]["score"] = np.nan
    assert available(result) == []

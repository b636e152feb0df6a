"""The picture of best heads by relation."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import same_color
from matplotlib.text import Annotation

from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, INK, SINGLE, TALLEST
from headscope.questions.pictures import available, draw
from tests.questions.syntax.results import build_syntax

pytestmark = pytest.mark.filterwarnings("error")


def _marks(axes) -> dict[str, np.ndarray]:
    return {str(line.get_label()): np.asarray(line.get_xdata()) for line in axes.lines}


def _labels(axes) -> list[str]:
    return [tick.get_text() for tick in axes.get_yticklabels()]


def _written(axes) -> list[str]:
    return [text.get_text() for text in axes.texts if isinstance(text, Annotation)]


def test_baselines_stand_in_the_row_of_their_relation() -> None:
    result = build_syntax(3)
    table = result.tables["relations"]
    table["twin"] = [0.1, 0.2, 0.3, np.nan]
    table["offset_accuracy"] = [0.5, 0.25, 0.75, 1.0]
    (axes,) = draw("relations", result).axes
    assert _labels(axes) == ["all", "rel1", "rel2", "rel3"]
    marks = _marks(axes)
    np.testing.assert_allclose(marks["random twin"], [10, 20, 30, np.nan])
    np.testing.assert_allclose(marks["best fixed offset"], [50, 25, 75, 100])
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "the most frequent relation is on top"


def test_found_heads_are_emphasised_and_all_relations_are_apart() -> None:
    result = build_syntax(2)
    table = result.tables["relations"]
    table["accuracy"], table["low"], table["high"] = [0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.6, 0.7, 0.8]
    table["found"] = [False, True, False]
    (axes,) = draw("relations", result).axes
    heads = [line for line in axes.lines if line.get_marker() == "o" and line.get_zorder() == 4]
    drawn = {
        float(line.get_xdata()[0]): (float(line.get_ydata()[0]), line.get_color())
        for line in heads
        if len(line.get_xdata())
    }
    assert drawn[60.0] == (1.0, COLOURS[1]) and drawn[50.0] == (0.0, INK)
    place, colour = drawn[70.0]
    assert place == 2.0 and not same_color(colour, COLOURS[1])
    weights = [tick.get_fontweight() for tick in axes.get_yticklabels()]
    assert weights == ["normal", "bold", "normal"]
    intervals = {
        tuple(np.round(part.ravel(), 6)) for lines in axes.collections for part in lines.get_segments()
    }
    assert {(40, 0, 60, 0), (50, 1, 70, 1), (60, 2, 80, 2)} <= intervals


def test_same_data_is_drawn_where_it_differs() -> None:
    result = build_syntax(1)
    table = result.tables["relations"]
    table["accuracy"], table["same_data_accuracy"] = [0.5, 0.6], [0.5, 0.75]
    (axes,) = draw("relations", result).axes
    np.testing.assert_allclose(_marks(axes)["best head, same data"], [np.nan, 75])


def test_published_numbers_are_shown_only_for_the_same_words() -> None:
    (axes,) = draw("relations", build_syntax(3)).axes
    np.testing.assert_allclose(_marks(axes)["Clark et al. 2019"], [np.nan, 90, np.nan, np.nan])


def test_the_legend_names_what_is_drawn() -> None:
    result = build_syntax(2)
    result.tables["relations"][["twin", "found"]] = [np.nan, False]
    result.tables["relations"]["found"] = False
    del result.tables["published"]
    named = [text.get_text() for text in draw("relations", result).legends[0].get_texts()]
    assert named == ["best head, not found", "best head, same data", "best fixed offset"]


def test_heads_and_words_stand_beside_their_relation() -> None:
    result = build_syntax(2)
    table = result.tables["relations"]
    table["words"] = [12345, 700, 30]
    table["head"], table["other_head"] = ["L1H0", "L1H0", "L0H1"], ["L1H0", "L0H2", "L0H1"]
    table["reading"] = ["dep->head", "dep->head", "head<-dep"]
    table["other_reading"] = ["dep->head", "head<-dep", "head<-dep"]
    figure = draw("relations", result)
    written = _written(figure.axes[0])
    assert written[::2] == ["words", "12,345", "700", "30"]
    assert written[1::2] == ["head", "L1H0", "L1H0 / L0H2†", "L0H1†"]
    assert figure.get_supxlabel() == "Heads are read dep->head; † head<-dep"


def test_one_stack_is_named_once() -> None:
    result = build_syntax(1)
    table = result.tables["relations"]
    table["head"], table["other_head"] = "encoder:L1H0", ["encoder:L1H0", "encoder:L0H2"]
    figure = draw("relations", result)
    assert _written(figure.axes[0])[1::2] == ["head", "L1H0", "L1H0 / L0H2"]
    assert figure.get_supxlabel() == "Heads of the encoder are read dep->head"


def test_several_stacks_are_named_at_each_head() -> None:
    result = build_syntax(30)
    table = result.tables["relations"]
    table["head"], table["other_head"] = "encoder:L1H0", "decoder:L0H2"
    figure = draw("relations", result)
    assert len(figure.axes) == 1 and figure.get_figwidth() == DOUBLE
    assert _written(figure.axes[0])[3] == "encoder:L1H0 / decoder:L0H2"


@pytest.mark.parametrize(("relations", "panels", "width"), [(7, 1, SINGLE), (44, 2, DOUBLE)])
def test_few_relations_take_a_column_and_many_two_panels(relations, panels, width) -> None:
    figure = draw("relations", build_syntax(relations))
    assert len(figure.axes) == panels and figure.get_figwidth() == width
    names = [name for axes in figure.axes for name in _labels(axes)]
    assert names == ["all", *(f"rel{place}" for place in range(1, relations + 1))]
    rows = [axes.get_window_extent().height / np.ptp(axes.get_ylim()) for axes in figure.axes]
    least = 7 * figure.dpi / 72  # a row is higher than its letters
    assert min(rows) > least


def test_no_name_runs_into_another() -> None:
    figure = draw("relations", build_syntax(44))
    left, right = figure.axes
    end = max(text.get_window_extent().x1 for text in left.texts)
    assert end < min(tick.get_window_extent().x0 for tick in right.get_yticklabels())


def test_what_does_not_fit_on_a_page_is_told() -> None:
    figure = draw("relations", build_syntax(149))
    shown = sum(len(_labels(axes)) for axes in figure.axes)
    assert figure.get_figheight() <= TALLEST and 100 <= shown < 150
    assert figure.get_supxlabel().endswith(f"The {shown} most frequent of 150 relations")


def test_undefined_numbers_are_left_out() -> None:
    result = build_syntax(2)
    floats = result.tables["relations"].select_dtypes("float").columns
    result.tables["relations"].loc[2, floats] = np.nan
    result.tables["relations"].loc[2, "head"] = ""
    assert _labels(draw("relations", result).axes[0]) == ["all", "rel1", "rel2"]
    result.tables["relations"][floats] = np.nan
    assert "relations" not in available(result)

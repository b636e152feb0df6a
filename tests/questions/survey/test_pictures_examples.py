"""Example maps."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex

from headscope.drawing.files import save
from headscope.drawing.style import FAINT, INK
from headscope.questions.pictures import draw
from headscope.results.result import Result
from tests.drawing.texts import ODD
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def test_lines_join_query_and_key_and_are_as_dark_as_the_weight() -> None:
    result = build_survey(tokens=["a", "b"])
    examples = result.arrays["examples"].isel(example=[0])
    examples["weights"].values[:] = [[[1.0, 0.0], [0.25, 0.75]]]
    figure = draw("examples", Result("survey", arrays={"examples": examples}))
    (lines,) = figure.axes[0].collections
    drawn = {
        (*map(int, segment[:, 1]), round(float(colour[3]), 6))
        for segment, colour in zip(lines.get_segments(), lines.get_colors(), strict=True)
    }
    assert drawn == {(0, 0, 1.0), (1, 0, 0.25), (1, 1, 0.75)}
    assert all(list(segment[:, 0]) == [0.0, 1.0] for segment in lines.get_segments())


def test_a_long_text_shows_its_end_and_says_so() -> None:
    tokens = [f"t{place}" for place in range(40)]
    figure = draw("examples", build_survey(tokens=tokens))
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert shown[:4] == ["…", "…", "t25", "t25"]
    assert "t24" not in shown and shown.count("t39") == 2
    assert "Last 15 of 40 tokens" in figure.get_supxlabel()


def test_a_row_of_which_little_is_left_is_pale_and_it_is_said() -> None:
    result = build_survey(tokens=[f"t{place}" for place in range(16)])
    examples = result.arrays["examples"].isel(example=[0])
    examples["weights"].values[:] = 1 / 16
    # The first of 16 tokens is not shown; of the last row it has all but two hundredths.
    examples["weights"].values[0, 15] = [0.98, *[0.0] * 14, 0.02]
    figure = draw("examples", Result("survey", arrays={"examples": examples}))
    pale, _ = figure.axes[0].collections
    (segment,), (colour,) = pale.get_segments(), pale.get_colors()
    assert segment[:, 1].tolist() == [14, 14] and to_hex(colour) == "#b8b8b8"
    inks = [text.get_color() for text in figure.axes[0].texts if text.get_text() == "t15"]
    assert inks == [FAINT, INK]
    assert figure.get_supxlabel().endswith("grey: under 5 % of a row's weight is left")


def test_a_short_text_is_whole_and_needs_no_note() -> None:
    figure = draw("examples", build_survey(tokens=["a", "b", "c"]))
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert shown[:6] == ["a", "a", "b", "b", "c", "c"]
    assert figure.get_supxlabel() == ""


def test_panels_carry_head_and_role() -> None:
    figure = draw("examples", build_survey())
    assert [axes.get_title().strip() for axes in figure.axes] == ["L0H1", "L1H2", "L2H3", "L3H4"]
    assert [axes.texts[-1].get_text() for axes in figure.axes] == [
        "previous token",
        "separator",
        "same token",
        "broad",
    ]


def test_odd_tokens_are_shown_as_text(tmp_path: Path) -> None:
    figure = draw("examples", build_survey(tokens=ODD))
    save(figure, tmp_path, "examples")
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    shown = [text.get_text() for text in texts]
    assert all(not text.get_parse_math() for text in texts)
    assert shown.count("$x_1$") == shown.count("<script>") == 2
    assert shown.count("x" * 9 + "…") == 2
    assert "aU+0000b" in shown and "U+202E" in shown
    svg = (tmp_path / "examples.svg").read_text()
    assert "<script" not in svg
    ElementTree.fromstring(svg)

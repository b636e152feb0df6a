"""Example maps, and texts made drawable."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headscope import plots
from headscope.drawing.glyphs import readable
from headscope.results.look import renormalise
from headscope.results.result import Result

pytestmark = pytest.mark.filterwarnings("error")


def test_lines_join_query_and_key_and_are_as_dark_as_the_weight(survey) -> None:
    result = survey(tokens=["a", "b"])
    examples = result.arrays["examples"].isel(example=[0])
    examples["weights"].values[:] = [[[1.0, 0.0], [0.25, 0.75]]]
    figure = plots.draw("examples", Result("survey", arrays={"examples": examples}))
    (lines,) = figure.axes[0].collections
    drawn = {
        (*map(int, segment[:, 1]), round(float(colour[3]), 6))
        for segment, colour in zip(lines.get_segments(), lines.get_colors(), strict=True)
    }
    assert drawn == {(0, 0, 1.0), (1, 0, 0.25), (1, 1, 0.75)}
    assert all(list(segment[:, 0]) == [0.0, 1.0] for segment in lines.get_segments())


def test_a_long_text_shows_its_end_and_says_so(survey) -> None:
    tokens = [f"t{place}" for place in range(40)]
    figure = plots.draw("examples", survey(tokens=tokens))
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert shown[:4] == ["…", "…", "t25", "t25"]
    assert "t24" not in shown and shown.count("t39") == 2
    assert "Last 15 of 40 tokens" in figure.get_supxlabel()


def test_a_short_text_is_whole_and_needs_no_note(survey) -> None:
    figure = plots.draw("examples", survey(tokens=["a", "b", "c"]))
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert shown[:6] == ["a", "a", "b", "b", "c", "c"]
    assert figure.get_supxlabel() == ""


def test_panels_carry_head_and_role(survey) -> None:
    figure = plots.draw("examples", survey())
    assert [axes.get_title().strip() for axes in figure.axes] == ["L0H1", "L1H2", "L2H3", "L3H4"]
    assert [axes.texts[-1].get_text() for axes in figure.axes] == [
        "previous token",
        "separator",
        "same token",
        "broad",
    ]


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=5))
def test_renormalised_rows_sum_to_one_or_are_empty(rows: list[list[float]]) -> None:
    weights = np.array(rows)
    sums = renormalise(weights).sum(axis=1)
    np.testing.assert_allclose(sums, np.where(weights.sum(axis=1) > 0, 1.0, 0.0))


@given(st.text(), st.integers(1, 30))
def test_readable_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    shown = readable(text, limit)
    assert len(shown) <= limit
    assert not set(shown) & {"\n", "\r", "\x00", "\u202e"}


def test_readable_keeps_what_can_be_drawn() -> None:
    assert readable("$x_1$ <b> é שלום Ġ▁") == "$x_1$ <b> é שלום Ġ▁"
    assert readable("a\tb\nc") == "a→b↵c"

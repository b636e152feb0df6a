"""Sentences on which heads show a relation."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from headscope.drawing.palette import COLOURS
from headscope.drawing.style import DOUBLE, FAINT, INK, SINGLE
from headscope.questions.pictures import available, draw
from headscope.results.result import Result
from tests.questions.syntax.results import SENTENCE, build_sentences, build_syntax

pytestmark = pytest.mark.filterwarnings("error")
ACCENT = COLOURS[1]


def _draw(*labels: tuple[str, str, str]):
    return draw("relation_examples", Result("syntax", {"relation_examples": build_sentences(list(labels))}))


def _lines(axes) -> dict[tuple[int, int], tuple[str, float]]:
    """Colour and opacity of the line from each query to each key; there is one at most."""
    drawn = [
        ((int(segment[0, 1]), int(segment[1, 1])), (to_hex(colour[:3]).upper(), round(float(colour[3]), 6)))
        for lines in axes.collections
        for segment, colour in zip(lines.get_segments(), lines.get_colors(), strict=True)
    ]
    assert len(dict(drawn)) == len(drawn)
    return dict(drawn)


def _titles(figure) -> list[str]:
    return [part.get_suptitle() for part in figure.subfigs]


def test_words_stand_on_both_sides_without_the_filling() -> None:
    (axes,) = _draw(("obj", "L2H0", "dep->head")).axes
    texts = [text.get_text() for text in axes.texts]
    assert texts[::2] == texts[1::2] == SENTENCE
    assert axes.get_ylim() == (5.5, -0.5)


def test_a_word_that_bears_the_relation_is_coloured_with_all_it_attends_to() -> None:
    (axes,) = _draw(("obj", "L2H0", "dep->head")).axes
    lines = _lines(axes)
    accent = {pair: strength for pair, (colour, strength) in lines.items() if colour == ACCENT}
    assert accent == {(4, 0): 0.1, (4, 2): 0.8, (4, 5): 0.1}
    assert lines[1, 2] == (COLOURS[0], 0.02)
    left, right = axes.texts[::2], axes.texts[1::2]
    assert [text.get_text() for text in left if text.get_color() == ACCENT] == ["cat"]
    assert [text.get_text() for text in right if text.get_color() == ACCENT] == ["fed"]


def test_special_tokens_are_pale() -> None:
    (axes,) = _draw(("obj", "L2H0", "dep->head")).axes
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert colours["[CLS]"] == colours["[SEP]"] == FAINT and colours["she"] == INK
    lines = _lines(axes)
    assert {lines[pair][0] for pair in ((0, 1), (1, 0), (1, 5), (5, 5))} == {"#B8B8B8"}
    assert lines[1, 5][1] == 0.9, "pale in colour, as dark as the weight"


def test_without_knowledge_of_special_tokens_none_is_pale() -> None:
    examples = build_sentences([("obj", "L2H0", "dep->head")]).drop_vars("special")
    (axes,) = draw("relation_examples", Result("syntax", {"relation_examples": examples})).axes
    assert {text.get_color() for text in axes.texts} == {INK, ACCENT}
    assert {colour for colour, _ in _lines(axes).values()} == {COLOURS[0], ACCENT}


def test_who_attends_to_the_dependent_is_coloured_where_that_is_read() -> None:
    (axes,) = _draw(("pobj", "L2H0", "head<-dep")).axes
    accent = {pair for pair, (colour, _) in _lines(axes).items() if colour == ACCENT}
    assert accent == {(query, 2) for query in range(6)}


def test_titles_name_relation_head_reading_and_score() -> None:
    result = build_syntax(2)
    scores = result.arrays["relations"]["accuracy"]
    scores.loc[{"head": "L0H0", "reading": "dep->head"}] = np.array([0.5, 0.736, 0.21])
    figure = draw("relation_examples", result)
    assert _titles(figure) == ["rel1: L0H0, dep->head 74 %", "rel2: L0H0, dep->head 21 %"]
    assert _titles(_draw(("obj", "L2H0", "dep->head"))) == ["obj: L2H0, dep->head"]


@pytest.mark.parametrize(
    ("relations", "sentences", "titles", "shown", "width"),
    [(1, 1, 1, 1, SINGLE), (1, 2, 1, 2, SINGLE), (3, 2, 3, 6, DOUBLE), (9, 3, 6, 12, DOUBLE)],
)
def test_six_relations_with_two_sentences_each_at_most(relations, sentences, titles, shown, width) -> None:
    figure = draw("relation_examples", build_syntax(relations, sentences=sentences))
    drawn = [axes for axes in figure.axes if axes.texts]
    assert (len([title for title in _titles(figure) if title]), len(drawn)) == (titles, shown)
    assert figure.get_figwidth() == width


def test_lines_have_the_same_room_in_all_sentences() -> None:
    examples = build_sentences([("obj", "L2H0", "dep->head"), ("det", "L1H0", "dep->head")])
    examples["word"][0, 1] = "extraordinarily"
    figure = draw("relation_examples", Result("syntax", {"relation_examples": examples}))
    one, two = figure.axes
    assert one.get_xlim() == two.get_xlim()
    assert one.get_window_extent().width == pytest.approx(two.get_window_extent().width)
    assert "extraord…" in [text.get_text() for text in one.texts]
    for axes in (one, two):
        frame = axes.get_window_extent()
        assert all(text.get_window_extent().x0 >= frame.x0 - 1 for text in axes.texts[::2])
        assert all(text.get_window_extent().x1 <= frame.x1 + 1 for text in axes.texts[1::2])


def test_without_sentences_there_is_no_picture() -> None:
    assert "relation_examples" not in available(build_syntax(2, sentences=0))
    assert "relation_examples" in available(build_syntax(2))


def test_accent_and_other_lines_can_be_told_apart_without_colour() -> None:
    weights = (0.299, 0.587, 0.114)
    accent, other, pale = (np.dot(to_rgb(colour), weights) for colour in (ACCENT, COLOURS[0], "#B8B8B8"))
    assert other < accent < pale

"""Pictures of cells: roles, offsets, divergences."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import LogNorm, rgb_to_hsv, to_rgba
from matplotlib.text import Annotation

from headscope.drawing.style import DOUBLE, INK, SINGLE, role_symbols
from headscope.questions.pictures import available, draw
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def test_roles_colour_each_head_and_leave_missing_heads_empty() -> None:
    result = build_survey({"encoder": [2, 1]})
    result.arrays["heads"]["role"] = ("head", ["broad", "mixed", "broad"])
    figure = draw("roles", result)
    (mesh,) = figure.axes[0].collections
    cells = np.ma.asarray(mesh.get_array())
    np.testing.assert_array_equal(cells.mask, [[False, False], [False, True]])
    looks = role_symbols(["broad", "mixed"])
    colours = mesh.to_rgba(cells)
    assert tuple(colours[0, 0]) == tuple(colours[1, 0]) == to_rgba(looks["broad"].colour)
    assert tuple(colours[0, 1]) == to_rgba(looks["mixed"].colour)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["broad", "mixed"]


def test_roles_put_the_first_layer_on_top_and_write_scores() -> None:
    result = build_survey({"encoder": [2, 2]})
    result.arrays["heads"]["role_score"] = ("head", [0.25, np.nan, 0.5, 1.0])
    figure = draw("roles", result)
    bottom, top = figure.axes[0].get_ylim()
    assert bottom > top
    written = {(*text.get_position(), text.get_text()) for text in figure.axes[0].texts}
    assert written == {(0, 0, "25"), (0, 1, "50"), (1, 1, "100")}


def test_what_is_no_share_of_attention_looks_otherwise() -> None:
    result = build_survey({"encoder": [2, 2]})
    heads = result.arrays["heads"]
    heads["role"] = ("head", ["broad", "partly separator", "syntax", "mixed"])
    heads["role_score"] = ("head", [0.91, 0.33, 0.8, np.nan])
    figure = draw("roles", result)
    written = {text.get_text(): text.get_fontstyle() for text in figure.axes[0].texts}
    assert written == {".91": "italic", "33": "normal", ".80": "italic"}
    assert figure.get_supxlabel().split("\n") == [
        "numbers: % of attention",
        ".00, syntax: accuracy",
        ".00, broad: entropy over that of even attention",
    ]


@pytest.mark.parametrize("role", ["retrieval", "first token by length"])
def test_shares_of_other_things_are_no_shares_of_attention(role: str) -> None:
    result = build_survey({"encoder": [1]})
    result.arrays["heads"]["role"] = ("head", [role])
    assert f".00, {role}: " in draw("roles", result).get_supxlabel()


def test_common_roles_are_quieter_than_rare_ones() -> None:
    common, rare = (
        ("first-token sink", "broad", "mixed"),
        ("previous token", "next token", "separator", "syntax"),
    )
    strength = {
        role: rgb_to_hsv(to_rgba(look.colour)[:3])[1] for role, look in role_symbols([*common, *rare]).items()
    }
    assert max(strength[role] for role in common) < min(strength[role] for role in rare)


def test_roles_write_no_scores_into_small_cells() -> None:
    figure = draw("roles", build_survey({"encoder": [40, 40]}))
    assert not figure.axes[0].texts


def _named(names: dict[str, str], stacks: dict[str, list[int]]):
    result = build_survey(stacks)
    heads = result.arrays["heads"]
    heads["name"] = ("head", [names.get(str(head), "") for head in heads["head"].values])
    heads["role_score"] = ("head", np.full(heads.sizes["head"], 0.5))
    return result


def test_names_stand_in_their_cells_above_the_scores() -> None:
    result = _named({"L0H1": "obj", "L1H0": "det, case, compound"}, {"encoder": [12] * 2})
    figure = draw("roles", result)
    assert figure.get_figwidth() == DOUBLE
    texts = figure.axes[0].texts
    names = {text.get_text(): text for text in texts if text.get_bbox_patch() is not None}
    assert list(names) == ["obj", "det, case,\ncompound"]
    scores = {
        (round(x), round(y)): y
        for x, y in (text.get_position() for text in texts if text.get_bbox_patch() is None)
    }
    assert scores[0, 0] == 0, "a head without a name keeps its score in the middle"
    for name, (index, layer) in (("obj", (1, 0)), ("det, case,\ncompound", (0, 1))):
        x, y = names[name].get_position()
        assert x == index and layer - 0.5 < y < layer < scores[index, layer] < layer + 0.5
        assert names[name].get_color() == INK
        assert to_rgba(names[name].get_bbox_patch().get_facecolor()) == to_rgba("white")


@pytest.mark.parametrize("size", [12, 16, 24])
def test_names_stay_inside_their_cells(size: int) -> None:
    names = {"L0H1": "coreference", "L1H2": "compound, det, amod", "L2H0": "obj"}
    figure = draw("roles", _named(names, {"encoder": [size] * size}))
    axes = figure.axes[0]
    shown = [text for text in axes.texts if text.get_bbox_patch() is not None]
    assert len(shown) == 3
    for text in shown:
        x, y = text.get_position()
        (left, low), (right, high) = axes.transData.transform(
            [(x - 0.5, round(y) + 0.5), (x + 0.5, round(y) - 0.5)]
        )
        box = text.get_window_extent()
        assert left - 1 <= box.x0 and box.x1 <= right + 1
        assert low - 1 <= box.y0 and box.y1 <= high + 1


def test_names_in_cells_without_scores_stand_in_the_middle() -> None:
    figure = draw("roles", _named({"L1H3": "obj"}, {"encoder": [40, 40]}))
    assert [(*text.get_position(), text.get_text()) for text in figure.axes[0].texts] == [(3, 1, "obj")]


def test_empty_names_change_nothing_in_the_grid() -> None:
    figures = [_named({}, {"encoder": [12] * 3}) for _ in range(2)]
    figures[0].arrays["heads"] = figures[0].arrays["heads"].drop_vars("name")
    one, two = (draw("roles", result) for result in figures)
    assert one.get_figwidth() == two.get_figwidth() == SINGLE
    shown = [
        [(*text.get_position(), text.get_text()) for text in figure.axes[0].texts] for figure in (one, two)
    ]
    assert shown[0] == shown[1] and len(shown[0]) == 36


def test_offsets_show_every_head_under_its_layer_beside_even_attention() -> None:
    result = build_survey({"encoder": [3, 2]})
    ratio = np.maximum(result.arrays["heads"]["offset"].values * 40, 1 / 32)  # even attention is 1/40
    axes = draw("offsets", result).axes[0]
    first, second = axes.images
    np.testing.assert_allclose(first.get_array(), ratio[:3])
    np.testing.assert_allclose(np.asarray(second.get_array())[:2], ratio[3:])
    assert np.ma.getmaskarray(second.get_array())[2].all()
    names = [text.get_text() for text in axes.texts if isinstance(text, Annotation)]
    assert names == ["layer 0", "layer 1"]


def test_one_strong_offset_leaves_the_others_their_colours() -> None:
    result = build_survey({"encoder": [2]})
    heads = result.arrays["heads"]
    heads["offset"][:] = np.where(heads["distance"] < 0, 0.05, 0.0125)
    heads["offset"][0, 7] = 1.0
    figure = draw("offsets", result)
    (image,) = figure.axes[0].images
    assert isinstance(image.norm, LogNorm) and (image.norm.vmin, image.norm.vmax) == (1 / 64, 64)
    twice, half, most = image.norm([2.0, 0.5, 40.0])
    assert twice - 0.5 == pytest.approx(0.5 - half) == pytest.approx(1 / 12) and most > 0.9
    assert figure.axes[1].get_yticklabels()[0].get_text() == "1/64"


def test_offsets_of_a_sink_are_those_behind_it() -> None:
    result = build_survey({"encoder": [2]})
    heads = result.arrays["heads"]
    heads["first_is_sink"] = ("head", [True, False])
    heads["offset_behind"], heads["offset_behind_uniform"] = (
        heads["offset"] * 0 + 0.2,
        heads["offset"] * 0 + 0.05,
    )
    figure = draw("offsets", result)
    cells = np.asarray(figure.axes[0].images[0].get_array())
    assert cells[0] == pytest.approx(4.0)
    np.testing.assert_allclose(cells[1], np.maximum(heads["offset"].values[1] * 40, 1 / 32))
    assert figure.get_supxlabel() == "1 of 2 heads: without the first token, a sink of theirs"


def test_offsets_of_a_sink_that_leaves_nothing_are_those_with_it() -> None:
    result = build_survey({"encoder": [1]})
    heads = result.arrays["heads"]
    heads["first_is_sink"] = ("head", [True])
    heads["offset_behind"] = heads["offset_behind_uniform"] = heads["offset"] * np.nan
    figure = draw("offsets", result)
    cells = np.asarray(figure.axes[0].images[0].get_array())
    np.testing.assert_allclose(cells[0], np.maximum(heads["offset"].values[0] * 40, 1 / 32))
    assert figure.get_supxlabel() == "", "none is told without its first token"
    heads["offset_uniform"][:] = 0.0
    assert "offsets" not in available(result), "nothing can be there"


def test_offset_numbers_stand_below_their_column() -> None:
    axes = draw("offsets", build_survey({"encoder": [3]})).axes[0]
    left = axes.images[0].get_extent()[0]
    ticks = dict(zip([text.get_text() for text in axes.get_xticklabels()], axes.get_xticks(), strict=True))
    # Distances run from -8, so that distance 0 is the ninth cell, whose middle is at 8.5.
    assert ticks["0"] - left == 8.5
    assert ticks["-5"] - left == 3.5


def test_offsets_of_a_causal_model_end_at_the_token_itself() -> None:
    axes = draw("offsets", build_survey({"decoder": [3]}, causal=True)).axes[0]
    assert np.asarray(axes.images[0].get_array()).shape == (3, 9)
    assert axes.get_xticklabels()[-1].get_text() == "0"


def test_offsets_of_several_stacks_name_the_stack() -> None:
    axes = draw("offsets", build_survey({"encoder": [2, 2], "cross": [2]})).axes[0]
    assert [text.get_text() for text in axes.texts] == ["encoder 0", "encoder 1", "cross 0"]


def test_divergences_are_ordered_by_layer_with_boundaries() -> None:
    result = build_survey({"encoder": [2, 3]})
    heads = result.arrays["heads"]
    ordered = heads["divergence"].values
    shuffled = heads.isel(head=[4, 0, 2, 1, 3])
    result.arrays["heads"] = shuffled
    axes = draw("divergences", result).axes[0]
    np.testing.assert_array_equal(axes.images[0].get_array(), ordered)
    assert {tuple(line.get_ydata()) for line in axes.lines} == {(1.5, 1.5), (0, 1)}
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0", "1"]
    assert list(axes.get_xticks()) == [0.5, 3.0]


def test_divergences_have_one_square_per_stack() -> None:
    figure = draw("divergences", build_survey({"encoder": [2, 2], "decoder": [3]}))
    shown = [axes for axes in figure.axes if axes.images]
    assert [axes.get_title("left") for axes in shown] == ["encoder", "decoder"]
    assert [np.asarray(axes.images[0].get_array()).shape for axes in shown] == [(4, 4), (3, 3)]


def test_cells_of_many_heads_have_no_edges_that_would_cover_them() -> None:
    for heads, edges in ((64, 1), (300, 0)):
        (mesh,) = draw("roles", build_survey({"encoder": [heads]})).axes[0].collections
        assert len(mesh.get_edgecolors()) == edges

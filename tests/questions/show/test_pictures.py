"""The pictures of `show`: lines and matrices of one to four heads, and words."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from matplotlib.colors import LogNorm, to_hex

from headscope.drawing.files import save
from headscope.drawing.palette import COLOURS
from headscope.drawing.style import BY_MODEL, BY_MODEL_SAYS, DOUBLE, FAINT, INK, SINGLE, TALLEST
from headscope.errors import OptionError
from headscope.questions.pictures import draw
from headscope.questions.show.pictures import words
from headscope.results.result import Result
from tests.drawing.texts import ODD
from tests.sampling import sampled

pytestmark = pytest.mark.filterwarnings("error")
PICTURES = ["lines", "matrix"]


def shown(
    queries: list[str],
    keys: list[str] | None = None,
    heads: int = 1,
    weights: object = None,
    left: object = 1.0,
    **attrs: str,
) -> Result:
    """A result of `show`; tokens in brackets are special, those that end with + the model wrote. left: of
    each row (head, query)."""
    keys = queries if keys is None else keys
    if weights is None:
        weights = np.random.default_rng(0).dirichlet(np.ones(len(keys)), (heads, len(queries)))
    coords = {
        "head": ("example", [f"L{place}H1" for place in range(heads)]),
        "query_token": ("query", queries),
        "key_token": ("key", keys),
        "query_special": ("query", [token.startswith("[") for token in queries]),
        "key_special": ("key", [token.startswith("[") for token in keys]),
        "query_by_model": ("query", [token.endswith("+") for token in queries]),
        "key_by_model": ("key", [token.endswith("+") for token in keys]),
    }
    rows = np.broadcast_to(np.array(left), (heads, len(queries)))
    arrays = {
        "weights": (("example", "query", "key"), np.array(weights)),
        "left": (("example", "query"), rows),
    }
    maps = xr.Dataset(arrays, coords)
    return Result("show", {"maps": maps.assign_attrs({"scale": "linear", "stack": "encoder", **attrs})})


def lines_of(axes) -> dict[tuple[int, int], tuple[str, float]]:
    """Colour and opacity of the line from each query to each key."""
    return {
        (int(segment[0, 1]), int(segment[1, 1])): (to_hex(colour[:3]), round(float(colour[3]), 6))
        for lines in axes.collections
        for segment, colour in zip(lines.get_segments(), lines.get_colors(), strict=True)
    }


def test_lines_are_as_dark_as_the_weight_and_pale_at_special_tokens() -> None:
    (axes,) = draw(
        "lines", shown(["[CLS]", "a"], ["x", "y", "z"], weights=[[[1, 0, 0], [0.25, 0, 0.75]]])
    ).axes
    accent = COLOURS[0].lower()
    assert lines_of(axes) == {(0, 0): ("#b8b8b8", 1.0), (1, 0): (accent, 0.25), (1, 2): (accent, 0.75)}
    inks = {text.get_text(): text.get_color() for text in axes.texts}
    assert inks == {"[CLS]": FAINT, "a": INK, "x": INK, "y": INK, "z": INK}
    assert axes.get_ylim() == (2.5, -0.5)


@pytest.mark.parametrize("picture", PICTURES)
def test_words_that_the_model_wrote_are_marked(picture: str) -> None:
    figure = draw(picture, shown(["[CLS]", "a", "b+"]))
    axes = figure.axes[0]
    texts = axes.texts if picture == "lines" else [*axes.get_xticklabels(), *axes.get_yticklabels()]
    looks = {text.get_text(): (text.get_color(), text.get_fontstyle()) for text in texts}
    assert looks == {"[CLS]": (FAINT, "normal"), "a": (INK, "normal"), "b+": (BY_MODEL, "italic")}
    assert BY_MODEL_SAYS in figure.get_supxlabel()
    assert BY_MODEL_SAYS not in draw(picture, shown(["[CLS]", "a", "b"])).get_supxlabel()


def test_on_a_log_scale_a_hundredth_is_a_third_as_dark_and_a_thousandth_is_gone() -> None:
    (axes,) = draw("lines", shown(["a"], ["x", "y", "z"], weights=[[[0.989, 0.01, 0.001]]], scale="log")).axes
    strengths = {pair: strength for pair, (_, strength) in lines_of(axes).items()}
    assert strengths.keys() == {(0, 0), (0, 1)}
    assert strengths[0, 1] == pytest.approx(1 / 3) and strengths[0, 0] == pytest.approx(0.998, abs=1e-3)


def test_a_matrix_shows_the_weights_as_they_are() -> None:
    weights = np.array([[[0.1, 0.9, 0.0], [0.5, 0.25, 0.25]]])
    axes, *_ = draw("matrix", shown(["[CLS]", "b"], ["x", "y", "z"], weights=weights)).axes
    (image,) = axes.images
    np.testing.assert_allclose(image.get_array(), weights[0])
    assert image.get_clim() == (0.0, 0.9)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["[CLS]", "b"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y", "z"]
    assert [label.get_color() for label in axes.get_yticklabels()] == [FAINT, INK]


SCANT = "grey: under 5 % of a row's weight is left"


def test_lines_of_rows_of_which_little_is_left_are_pale_and_it_is_said() -> None:
    weights = [[[1.0, 0.0], [0.25, 0.75]]]
    figure = draw("lines", shown(["a", "b"], weights=weights, left=[[0.002, 0.05]]))
    accent, (axes,) = COLOURS[0].lower(), figure.axes
    assert lines_of(axes) == {(0, 0): ("#b8b8b8", 1.0), (1, 0): (accent, 0.25), (1, 1): (accent, 0.75)}
    assert [text.get_color() for text in axes.texts] == [FAINT, INK, INK, INK]
    assert figure.get_supxlabel() == SCANT
    assert draw("lines", shown(["a", "b"], weights=weights)).get_supxlabel() == ""


def test_rows_of_which_little_is_left_are_grey_in_a_matrix_and_do_not_set_its_scale() -> None:
    weights = np.array([[[1.0, 0.0], [0.25, 0.75]]])
    figure = draw("matrix", shown(["a", "b"], weights=weights, left=[[0.002, 0.05]]))
    axes = figure.axes[0]
    below, above = axes.images
    assert above.get_clim() == below.get_clim() == (0.0, 0.75)
    assert above.get_array().mask.tolist() == [[False, False], [True, True]]
    red, green, blue, _ = above.to_rgba(above.get_array())[0].T
    assert (red == green).all() and (green == blue).all()
    assert [label.get_color() for label in axes.get_yticklabels()] == [FAINT, INK]
    assert figure.get_supxlabel() == f"to\n{SCANT}"
    all_scant = draw("matrix", shown(["a", "b"], weights=weights / 100, left=0.01))
    assert all_scant.axes[0].images[0].get_clim() == (0.0, 0.01)


def test_all_matrices_share_one_scale() -> None:
    weights = [[[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [1.0, 0.0]]]
    figure = draw("matrix", shown(["a", "b"], heads=2, weights=weights))
    assert [axes.images[0].get_clim() for axes in figure.axes if axes.images] == [(0.0, 1.0)] * 2
    log = draw("matrix", shown(["a", "b"], heads=2, weights=weights, scale="log"))
    norm = log.axes[0].images[0].norm
    assert isinstance(norm, LogNorm) and (norm.vmin, norm.vmax) == (pytest.approx(0.001), 1.0)
    ticks = [label.get_text() for label in log.axes[-1].get_yticklabels()]
    assert {"0.001", "0.01", "0.1", "1"} <= set(ticks)


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize(
    ("heads", "tokens"), sampled(product([1, 2, 3, 4], [1, 9, 24]), [(2, 1), (3, 9), (1, 24), (4, 24)])
)
def test_every_number_of_heads_fits(name: str, heads: int, tokens: int) -> None:
    figure = draw(name, shown(["[CLS]", *["lighthouse"] * (tokens - 1)], heads=heads))
    width, height = figure.get_size_inches()
    assert width in (SINGLE, DOUBLE) and 0 < height <= TALLEST
    titled = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert titled == [f"L{place}H1" for place in range(heads)]
    frame = figure.bbox
    for axes in figure.axes:
        ticks = [*axes.get_xticklabels(), *axes.get_yticklabels()] if axes.axison else []
        for text in [*axes.texts, *ticks]:
            box = text.get_window_extent()
            assert box.x0 >= frame.x0 - 1 and box.x1 <= frame.x1 + 1, text.get_text()


@pytest.mark.parametrize("name", PICTURES)
def test_sixty_tokens_can_be_read_and_more_are_refused(name: str) -> None:
    figure = draw(name, shown(["word"] * 60))
    assert figure.get_size_inches()[1] <= TALLEST
    with pytest.raises(OptionError, match=r"80 tokens are too many .*room for \d\d; shorten the text"):
        draw(name, shown(["word"] * 80))


def test_tokens_of_a_full_matrix_do_not_touch() -> None:
    figure = draw("matrix", shown(["Word"] * 60))
    boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in pairwise(boxes))


@pytest.mark.parametrize("name", PICTURES)
def test_cross_attention_names_its_sides(name: str) -> None:
    figure = draw(name, shown(["Der", "Turm"], ["The", "tower", "burns"], stack="cross"))
    told = [text.get_text() for axes in figure.axes for text in axes.texts]
    told += [figure.get_supxlabel(), figure.get_supylabel()]
    assert any("source" in text for text in told) and any("target" in text for text in told)


@pytest.mark.parametrize("name", sampled(PICTURES, ["lines"]))
def test_any_text_can_be_saved_and_the_same_bytes_come_again(name: str, tmp_path: Path) -> None:
    first, second = (save(draw(name, shown(ODD, heads=2)), tmp_path / part, name) for part in "ab")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert b"<script>" not in first[1].read_bytes()
    ElementTree.parse(first[1])


def coloured(tokens: int, answers: int = 1) -> Result:
    """A result of `show` with importances by two ways, of so many tokens, the first and last special."""
    rows = [
        {
            "answer": answer, "label": "1", "explainer": way, "place": place, "token": f"w{place}",
            "special": place in (0, tokens - 1), "importance": 1.0, "share": 1 / tokens,
        }
        for answer, way, place in product(range(answers), ("rollout", "occlusion"), range(tokens))
    ]  # fmt: skip
    result = shown(["a"], unit="word")
    result.arrays["maps"].attrs["answers"] = [f"label 1 (5{answer}.0 %)" for answer in range(answers)]
    return replace(result, tables={"importance": pd.DataFrame(rows)})


@pytest.mark.parametrize(
    ("tokens", "answers", "lines", "told"),
    [
        (48, 1, 1, ""),
        (100, 1, 3, ""),
        (100, 2, 6, ""),
        (383, 1, 7, "46 more words"),
        (338, 1, 7, "1 more word"),
        (48, 9, 6, "3 more answers"),
        (200, 3, 7, "103 more words and 1 more answer"),
    ],
)
def test_words_that_a_page_has_no_room_for_are_counted(
    tokens: int, answers: int, lines: int, told: str
) -> None:
    """With two ways a page has 7 lines of 48 tokens; of those left out, the last is special."""
    result = coloured(tokens, answers)
    figure = draw("words", result)
    assert len(figure.axes) == lines and figure.get_size_inches()[1] <= TALLEST
    assert figure.get_supxlabel() == (f"… {told}" if told else "")
    assert [told in note for note in words.not_drawn(result)] == [True] * bool(told)
    assert figure.axes[0].get_title(loc="left") == "label 1 (50.0 %)"
    labels = [label.get_text() for axes in figure.axes for label in axes.get_xticklabels()]
    assert labels[:tokens] == [f"w{place}" for place in range(min(tokens, 48 * lines))]


@pytest.mark.parametrize("name", PICTURES)
def test_without_maps_there_is_no_picture(name: str) -> None:
    with pytest.raises(OptionError, match=f"picture '{name}'.*Pictures it can give: none"):
        draw(name, Result("show"))


def test_a_map_without_any_weight_is_drawn() -> None:
    empty = np.zeros((1, 2, 2))
    assert draw("matrix", shown(["a", "b"], weights=empty, scale="log")).axes
    assert lines_of(draw("lines", shown(["a", "b"], weights=empty, scale="log")).axes[0]) == {}

"""Notebook views hold their page in a frame; tokens stay text in it."""

from __future__ import annotations

import inspect
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

from headscope.errors import OptionError, RunError
from headscope.web.views.frame import PageFrame
from headscope.web.views.notebook import head_view, model_view, report_view
from headscope.web.wire import Page

HOSTILE = [
    '"><script>alert(1)</script>',
    "</iframe>",
    "<!--",
    "'&quot;",
    "\u202eabc",
    "👩‍👩‍👧",
    "\ud800",
    "x" * 10_000,
]
EVEN = np.full((2, 3, len(HOSTILE), len(HOSTILE)), 1 / len(HOSTILE))


class Tags(HTMLParser):
    """The start tags of a text with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def content(view: PageFrame) -> dict[str, Any]:
    """What the page in a view is given."""
    told = re.search(r'<script type="application/json" id="page">(.*?)</script>', view.html)
    assert told is not None
    return json.loads(told[1])


@pytest.mark.parametrize("make", [head_view, model_view])
def test_a_view_is_one_frame_and_tokens_stay_text(make: Any) -> None:
    view = make(EVEN, HOSTILE)
    ((tag, attributes),) = Tags(view._repr_html_()).found
    assert tag == "iframe" and attributes["title"] and attributes["width"] == "100%"
    assert attributes["srcdoc"] == view.html == view.data
    inside = [name for name, _ in Tags(view.html).found]
    assert inside.count("script") == 2 and "iframe" not in inside
    assert content(view)["view"]["look"]["axes"][0]["pieces"] == HOSTILE
    assert "://" not in re.sub(r"http://www\.w3\.org/\S+", "", view.html.partition("<body>")[0])


def test_what_is_shown_first() -> None:
    tokens = ["a", "##b", "c"]
    maps = np.full((4, 1, 5, 3, 3), 1 / 3)
    shown = content(head_view(maps, tokens, 2, layer=2, heads=[3, 4], include_layers=[1, 2]))["view"]
    assert (shown["layout"], shown["layer"], shown["heads"], shown["dark"]) == ("heads", 2, [3, 4], None)
    assert [layer["layer"] for layer in shown["look"]["parts"][0]["layers"]] == [1, 2]
    assert shown["look"]["axes"] == [
        {
            "pieces": ["a", "b", "c"],
            "words": [0, 0, 1],
            "names": ["ab", "c"],
            "special": [False] * 3,
            "second": 2,
            "written": None,
        }
    ]
    shown = content(model_view(maps, tokens, display_mode="dark", include_layers=[3], include_heads=[0, 4]))[
        "view"
    ]
    assert (shown["layout"], shown["layer"], shown["dark"]) == ("model", 3, True)
    assert shown["look"]["parts"][0]["layers"][0]["heads"] == [0, 4]
    assert content(model_view(maps, tokens))["view"]["dark"] is False


def test_the_arguments_that_others_take_in_their_order() -> None:
    tail = ["encoder_attention", "decoder_attention", "cross_attention", "encoder_tokens", "decoder_tokens"]
    start = ["attention", "tokens", "sentence_b_start", "prettify_tokens"]
    head, model = (list(inspect.signature(one).parameters) for one in (head_view, model_view))
    assert head == [*start, "layer", "heads", *tail, "include_layers", "html_action"]
    assert model == [*start, "display_mode", *tail, "include_layers", "include_heads", "html_action"]


@pytest.mark.parametrize(
    ("make", "options", "expected"),
    [
        (head_view, {"html_action": "show"}, "unknown html_action 'show'. Available: view, return"),
        (model_view, {"html_action": "show"}, "unknown html_action 'show'"),
        (model_view, {"display_mode": "darkk"}, "unknown display_mode 'darkk'; did you mean 'dark'"),
        (head_view, {"layer": 2}, "no layer 2"),
        (head_view, {"layer": 1, "include_layers": [0]}, "no layer 1"),
        (head_view, {"layer": 0, "heads": [3]}, "no head L0H3"),
        (head_view, {"include_layers": [7]}, "no layer 7: the maps have layers 0, 1"),
        (model_view, {"include_heads": [7]}, "no head 7: the maps have heads 0, 1, 2"),
    ],
)
def test_options_that_do_not_fit(make: Any, options: dict[str, Any], expected: str) -> None:
    with pytest.raises(OptionError, match=re.escape(expected)):
        make(EVEN, HOSTILE, **options)


def test_a_view_can_be_kept(tmp_path: Path) -> None:
    view = head_view(EVEN, HOSTILE, html_action="return")
    view.save(tmp_path / "new" / "view.html")
    assert (tmp_path / "new" / "view.html").read_text("utf-8") == view.html
    assert repr(view) == "<PageFrame 'Attention heads': .save(path) writes it as HTML>"


def test_the_title_of_a_frame_is_escaped() -> None:
    shown = PageFrame(Page('"><b>', "1"), 300)._repr_html_()
    assert unescape(shown.split('"')[1]) == '"><b>' and "height: 300px" in shown


def test_a_folder_that_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no such run folder"):
        report_view(tmp_path / "missing")


@pytest.mark.parametrize("make", [head_view, model_view])
def test_maps_without_special_tokens_are_shown_so(make: Any) -> None:
    axes = {"layer": [0], "head": [0], "query": ["a"], "key": ["a"]}
    left = {"left": (("layer", "head", "query"), np.full((1, 1, 1), 0.5))}
    for coords, special in ((axes | left, "renormalised"), (axes, "shown")):
        maps = xr.DataArray(np.ones((1, 1, 1, 1)), coords, list(axes), attrs={"special": "renormalised"})
        assert content(make(maps))["view"]["special"] == special

"""A look as a page of its own."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.errors import OptionError
from headscope.results.look import Axis, Look, LookView, Sheet, StackMaps
from headscope.web.views.view import view_page

AXIS = Axis(["a", "b"], [0, 1], ["a", "b"], [False, False])


@pytest.fixture
def look() -> Look:
    maps = np.full((2, 2, 2), 0.5, np.float32)
    encoder = StackMaps("encoder", AXIS, AXIS, [Sheet(2, [0, 5], maps), Sheet(4, [1, 3], maps)])
    return Look("tiny", [encoder, StackMaps("cross", AXIS, AXIS, [Sheet(0, [0, 1], maps)])])


def test_the_first_stack_and_layer_are_shown_first(look: Look) -> None:
    page = view_page(LookView(look=look))
    assert page.title == "tiny" and page.report is None and page.live is None
    view = page.view
    assert view is not None
    assert (view.layout, view.stack, view.layer, view.heads, view.dark) == ("heads", "encoder", 2, None, None)
    assert [part.stack for part in view.look.parts] == ["encoder", "cross"]


def test_what_is_chosen_is_shown_first(look: Look) -> None:
    page = view_page(LookView(
        look=look, layout="model", stack="encoder", layer=4, heads=[3], dark=True, title="A < B", words=False,
        special="hidden", scale="log", drawing="matrix",
    ))  # fmt: skip
    view = page.view
    assert view is not None and page.title == view.look.title == "A < B"
    assert (view.layout, view.layer, view.heads, view.dark) == ("model", 4, [3], True)
    assert (view.words, view.special, view.scale, view.drawing) == (False, "hidden", "log", "matrix")


def test_what_the_look_does_not_hold_is_refused(look: Look) -> None:
    with pytest.raises(OptionError, match="no layer 0: the look holds layers 2, 4"):
        view_page(LookView(look=look, layer=0))
    with pytest.raises(OptionError, match="no head L2H1 in the encoder of the look"):
        view_page(LookView(look=look, heads=[5, 1]))
    with pytest.raises(OptionError, match="unknown stack 'decoder'"):
        view_page(LookView(look=look, stack="decoder"))

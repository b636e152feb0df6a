"""Texts made drawable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headscope.drawing.glyphs import readable


@given(st.text(), st.integers(1, 30))
def test_readable_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    shown = readable(text, limit)
    assert len(shown) <= limit
    assert not set(shown) & {"\n", "\r", "\x00", "\u202e"}


def test_readable_keeps_what_can_be_drawn() -> None:
    assert readable("$x_1$ <b> é שלום Ġ▁") == "$x_1$ <b> é שלום Ġ▁"
    assert readable("a\tb\nc") == "a→b↵c"

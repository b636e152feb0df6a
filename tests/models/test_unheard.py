"""Layers that attend outside the shared function are named in the notes."""

from __future__ import annotations

import pytest

from headscope.models import load
from tests.families import FAMILIES, build, small_tokenizer

WHY = "what happens between pieces there does not go through the attention function"


@pytest.mark.parametrize(
    ("family", "note"),
    [
        ("longt5", f"no layer of the encoder is heard: {WHY}"),
        ("minimax", f"of layers 0 to 2, 0, 2 are not heard: {WHY} (L0 is layer 1)"),
    ],
)
def test_silent_layers_are_named(family: str, note: str) -> None:
    assert load(build(family), small_tokenizer()).notes == [note]


@pytest.mark.parametrize("family", FAMILIES)
def test_where_all_layers_are_heard_there_is_nothing_to_tell(family: str) -> None:
    assert load(build(family), small_tokenizer()).notes == []

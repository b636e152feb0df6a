"""Layers that attend outside the shared function are named in the notes."""

from __future__ import annotations

import pytest

from headscope.models import load
from headscope.models.padding import NOTE
from tests.families import FAMILIES, build, small_tokenizer

WHY = "what happens between pieces there does not go through the attention function"
ENCODER = f"no layer of the encoder is heard: {WHY}"


@pytest.mark.parametrize(
    ("family", "notes"),
    [
        ("longt5", [ENCODER]),
        ("pegasus_x", [ENCODER]),
        ("bigbird_pegasus", [ENCODER, NOTE]),
        ("minimax", [f"of layers 0 to 2, 0, 2 are not heard: {WHY} (L0 is layer 1)"]),
    ],
)
def test_silent_layers_are_named(family: str, notes: list[str]) -> None:
    assert load(build(family), small_tokenizer()).notes == notes


@pytest.mark.parametrize("family", FAMILIES)
def test_where_all_layers_are_heard_there_is_nothing_to_tell(family: str) -> None:
    assert load(build(family), small_tokenizer()).notes == []

"""Names of relations."""

from __future__ import annotations

import pytest

from headscope.analyses.labels import counted, plain


@pytest.mark.parametrize(
    ("relation", "alone"), [("nmod:poss", "nmod"), ("det", "det"), ("a:b:c", "a"), ("", ""), (":x", "")]
)
def test_subtypes_can_be_dropped(relation: str, alone: str) -> None:
    assert plain(relation) == alone


def test_roots_and_punctuation_are_left_out() -> None:
    labels = ["root", "ROOT", "punct", "punct:x", "det", "rootlike", "dep", "_"]
    assert [label for label in labels if counted(label)] == ["det", "rootlike", "dep", "_"]
    assert [label for label in labels if counted(label, punctuation=True)] == [
        "punct", "punct:x", "det", "rootlike", "dep", "_",
    ]  # fmt: skip

"""The types of the wire: the client's copy is the Python side's, and every form is written right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from client.wire import typescript, written
from headscope.web.wire import Page

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Small:
    name: str


def test_the_client_has_the_same_types() -> None:
    written = {path.name: path.read_text("utf-8") for path in (ROOT / "client/src/wire").iterdir()}
    assert written == typescript()


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (str, "string"),
        (float | None, "number | null"),
        (list[bool], "boolean[]"),
        (list[Small | None], "(Small | null)[]"),
        (list[list[int]], "number[][]"),
        (Literal["a", "b"], '"a" | "b"'),
        (list[Literal["a", "b"]], '("a" | "b")[]'),
        (Page, "Page"),
    ],
)
def test_forms(kind: object, expected: str) -> None:
    assert written(kind) == expected


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="no TypeScript form"):
        written(dict[str, int])


def test_every_type_that_a_page_mentions_is_there() -> None:
    text = "".join(typescript().values())
    for name in ("Page", "Report", "Numbers", "Axis", "Question", "HeadOff", "Problem"):
        assert f"export interface {name} {{" in text
    assert "measures: (Numbers | Categories)[]" in text

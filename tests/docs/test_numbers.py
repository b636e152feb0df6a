"""Numbers that pages claim stand in the evidence, or in a table that a script has made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.numbers import ROOT, claimed, measured_in

PAPERS = sorted((ROOT / "docs" / "papers").glob("*.md"))
OWN_PARTS = {"layers": ("layers",), "sentences": ("sentences",)}
"""Verbs whose page tells under Measured only what these parts of the evidence hold."""
KNOWN = {"README.md": {"3.11": "the version of Python"}}


def section(page: str, heading: str) -> str:
    found = re.search(rf"^## {heading}$.*?(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAPERS], ids=lambda page: page.stem)
def test_a_page_claims_what_was_measured(page: Path) -> None:
    evidence, known = measured_in(), KNOWN.get(page.name, {})
    numbers = [number for number in claimed(page.read_text("utf-8")) if number not in known]
    assert [number for number in numbers if not evidence.has(number)] == []


@pytest.mark.parametrize("verb", OWN_PARTS)
def test_the_page_of_a_verb_tells_what_its_part_measured(verb: str) -> None:
    numbers = list(claimed(section((ROOT / "docs" / f"{verb}.md").read_text("utf-8"), "Measured")))
    evidence = measured_in(*OWN_PARTS[verb])
    assert len(numbers) > 50
    assert [number for number in numbers if not evidence.has(number)] == []


def test_a_number_that_was_not_measured_is_seen() -> None:
    assert not measured_in("layers").has("12.345")
    assert list(claimed("It is 12.345 times as fast.")) == ["12.345"]

"""The page is written from what is kept, and the committed one was."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.evidence import COMPLETE, sections
from benchmarks.kept import State
from benchmarks.page import STALE, Section, page
from benchmarks.parts import PARTS
from benchmarks.rows import at_most, told
from tests.benchmarks.measured import MACHINE, kept

FRESH, OLD = State("fresh"), State("stale", "the code has changed since")
VERSIONS = f"python 3.11.7, torch {MACHINE['torch']}, transformers {MACHINE['transformers']}"


def body(section: Section) -> str:
    """A page of one section, without its opening."""
    return page([section]).split("\n\n", 2)[2]


def test_a_section_says_when_and_where_it_was_measured() -> None:
    assert body(Section("speed", kept(), FRESH)) == (
        "## Speed\n\nTurns.\n\n"
        "Measured 2026-01-02 03:04 UTC at 0123456789ab in 2.5 minutes; "
        f"Fast, 2 cores, 8 GiB, load before 0.10, {VERSIONS}.\n\n"
        "| measured | value | target | limit | kept |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| text | demo |  |  |  |\n"
        "| ours / theirs | 1.23 x | ≤ 1.15 | ≤ 1.5 | yes |\n"
    )


def test_what_is_stale_is_marked_with_the_reason() -> None:
    assert "\n\n**Stale**: the code has changed since.\n\n| measured" in body(Section("speed", kept(), OLD))
    assert STALE not in body(Section("speed", kept(), FRESH))


def test_what_is_known_beside_is_told() -> None:
    assert f"{VERSIONS}. Rounded.\n" in body(Section("speed", kept(note="Rounded."), FRESH))


def test_a_part_that_never_ran_says_what_it_would_measure() -> None:
    text = body(Section("memory", None, State("never run")))
    assert text.startswith("## Memory\n\nPeak resident memory") and text.endswith("is kept yet.\n")


def test_a_limit_that_is_not_kept_stands_out() -> None:
    rows = [at_most("growth | or not", 12, "%", 10)]
    assert "| growth \\| or not | 12 % | ≤ 10 | ≤ 10 | **no** |" in body(
        Section("speed", kept(rows=rows), FRESH)
    )


def test_a_promise_of_time_was_kept_then_where_it_is_carried_over() -> None:
    rows = [at_most("time", 12, "CPU s", 60), at_most("gap", 0.1, "points", 1)]
    text = body(Section("speed", kept(rows=rows, note="Carried over."), FRESH))
    assert "| time | 12 CPU s | ≤ 60 | ≤ 60 | yes, then |" in text
    assert "| gap | 0.1 points | ≤ 1 | ≤ 1 | yes |" in text
    assert "then |" not in body(Section("speed", kept(rows=rows), FRESH))


def test_what_a_row_counts_is_listed_below() -> None:
    rows = [{**told("passed", 3), "details": {"bert": "", "git": "no blocks", "opt": ""}}]
    text = body(Section("speed", kept(rows=rows), FRESH))
    assert text.endswith("\n\n### Passed (3)\n\nbert, opt\n\n- git: no blocks\n")


def test_a_reduced_page_says_so() -> None:
    assert page([], reduced=True).startswith("# Evidence, reduced\n")


def test_the_committed_page_is_written_from_what_is_kept() -> None:
    """But for the marks of what is stale, which any change of code may add: `--page` writes it anew."""

    def unmarked(text: str) -> list[str]:
        return [line for line in text.splitlines() if line and not line.startswith(STALE)]

    assert unmarked(COMPLETE.page.read_text("utf-8")) == unmarked(page(sections(PARTS, COMPLETE)))


@pytest.mark.parametrize("path", sorted(COMPLETE.kept.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_kept_in_the_repository_is_of_a_complete_run_of_a_part(path: Path) -> None:
    assert path.stem in PARTS
    (section,) = sections([path.stem], COMPLETE)
    assert section.kept is not None and section.kept.complete and section.kept.rows

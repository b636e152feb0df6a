"""Lists on pages that no tool writes name everything there is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from benchmarks.parts import PARTS
from headscope.cli.demo import Options as Demo
from headscope.cli.main import COMMANDS
from headscope.questions import VERBS
from headscope.questions.groups import RunsShards
from headscope.results.record import Entry

ROOT = Path(__file__).parents[2]
SHARDED = {name for name, verb in VERBS.items() if issubclass(verb.options, RunsShards)}


def paragraph(page: str, begins: str) -> str:
    """Of a page, what stands from a word on to the end of its paragraph."""
    text = (ROOT / page).read_text("utf-8")
    return text[text.index(begins) :].partition("\n\n")[0]


def test_all_pages_and_the_help_say_alike_how_long_the_demo_takes() -> None:
    said = "less than three minutes"
    places = [COMMANDS["demo"], Demo.__doc__ or "", paragraph("docs/cli.md", "| `demo` |").partition("\n")[0]]
    assert all(said in place for place in [*places, paragraph("README.md", "`make demo` needs")])


def test_the_page_of_run_folders_has_every_key_of_an_entry() -> None:
    rows = paragraph("docs/run-folder.md", "| key | holds |")
    named = {key for row in rows.splitlines() for key in row.split(" | ")[0].strip("| ").split(", ")}
    keys = {key.strip("`").partition(".")[0] for key in named}
    assert {field.name for field in fields(Entry)} <= keys


def test_the_readme_of_benchmarks_has_every_part() -> None:
    rows = paragraph("benchmarks/README.md", "| part | measures |").splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(PARTS)


@pytest.mark.parametrize(
    ("page", "begins"), [("docs/cluster.md", "Every verb with shards"), ("docs/cli.md", "cut into shards (")]
)
def test_lists_of_verbs_with_shards_are_complete(page: str, begins: str) -> None:
    listed = paragraph(page, begins).partition("(")[2].partition(")")[0]
    assert {word.strip("` ") for word in listed.split(",")} >= SHARDED

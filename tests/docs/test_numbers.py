"""Every number of README.md, CONTRIBUTING.md and docs/ stands where the block that tells it says.

tests/docs/claims.py has the rule. How much it excludes: of 0.0, 0.1, ... 99.9 without a unit, what a block
rests on lets pass 4 % by chance in the median, and fewer where a unit is written; the part of the evidence
with most numbers, a fine-tuned encoder put to trust, lets pass 38 %. A test holds it to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from benchmarks.kept import Kept
from benchmarks.rows import Row, told
from docs.measured import tables
from docs.reproduced import claims
from docs.writing import BLOCKS
from headscope.questions import VERBS
from tests.docs import claims as looked_at
from tests.docs.claims import (
    CHOSEN,
    DOCS,
    ROOT,
    blocks,
    faults,
    measured_in,
    pages,
    published,
    written_blocks,
)
from tests.docs.numbers import Measured, claimed

ROWS = {
    "speed": [told("survey / plain forward (spread 2 % to 7 %)", 1.4712, "x"), told("survey", 97.25, "s")],
    "memory": [told("peak after 1,004 segments", 206.3, "MiB"), told("share", 0.8716)],
}
SPEED, MEMORY = "[a](evidence.md#speed)", "[b](evidence.md#memory)"


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_number_stands_where_its_block_says(page: Path) -> None:
    assert list(faults(page.read_text("utf-8"))) == []


def test_what_papers_published_stands_with_its_source() -> None:
    theirs = Measured(row for rows in published().values() for row in rows)
    cells = [claim.published for of_paper in claims().values() for claim in of_paper]
    assert [number for cell in cells for number in claimed(cell) if not theirs.has(number)] == []


def test_a_source_says_who_has_published_it() -> None:
    for name, rows in published().items():
        text = " ".join(f"{row['name']} {row['value']}" for row in rows)
        assert re.search(r"\b(19|20)\d\d\b|report|slides", text), name


def test_few_numbers_would_pass_by_chance() -> None:
    every = [block for page in pages() for block in blocks(page.read_text("utf-8")) if block.numbers]
    shares = {block.sources: measured_in(block.sources).by_chance() for block in every if block.sources}
    assert len(shares) > 20
    assert median(shares.values()) < 0.05, shares
    assert max(shares.values()) < 0.4, shares


def test_what_stands_between_marks_is_what_a_script_writes() -> None:
    """No number hides between marks of a page's own; other tests compare these blocks with their script."""
    verbs = {f"docs/{verb}.md": set(BLOCKS) for verb in VERBS}
    papers = {f"docs/papers/{paper}.md": {"measured"} for paper in claims()}
    own = {"README.md": {"demo"}, "docs/gallery.md": {"gallery"}, "docs/cluster.md": {"sizes", "wikipedia"}}
    for page in pages():
        name, marks = str(page.relative_to(ROOT)), written_blocks(page.read_text("utf-8"))
        measured = {table.block for table in tables().get(page.stem, [])}
        known = measured.union(*(of.get(name, set()) for of in (verbs, papers, own)))
        assert sorted(marks) == sorted(known), name


def test_pages_that_only_tell_results_choose_no_numbers() -> None:
    for page in (ROOT / "README.md", *(DOCS / "papers").glob("*.md")):
        assert CHOSEN not in page.read_text("utf-8"), page.name


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """The numbers of a text that stand nowhere, where two parts of the evidence are known."""

    def read(part: str, folder: Path) -> Kept:
        rows: list[Row] = ROWS[part]
        return Kept(part, "", True, 1.0, {}, None, {}, rows)

    monkeypatch.setattr(looked_at, "read", read)
    monkeypatch.setattr(looked_at, "measured_in", looked_at.measured_in.__wrapped__)

    def stand_nowhere(text: str) -> list[str]:
        return [fault.partition(": ")[2].split(" is ")[0].split(": ")[0] for fault in faults(text)]

    return stand_nowhere


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"It takes {SPEED} 1.47 x as long.", []),
        (f"It takes {SPEED} 1.471 times as long.", []),
        (f"It takes {SPEED} 1.48 x as long.", ["1.48 x"]),
        (f"It takes {SPEED} 1.472 x as long.", ["1.472 x"]),
        (f"It takes {SPEED} 206.3 MiB.", ["206.3 MiB"]),
        (f"It takes {MEMORY} 206.3 MiB.", []),
        (f"It takes {SPEED} {MEMORY} 206.3 MiB.", []),
        (f"It takes {MEMORY} 206.3 GiB.", ["206.3 GiB"]),
        (f"It is {MEMORY} 87.2 % of them, or 0.87.", []),
        (f"They are {SPEED} 97 of 98, and 7 more.", ["98"]),
        (f"It took {SPEED} 1.6 minutes.", []),
        ("It is `1.48 x`, [87 %](a.md), and that.", ["87"]),
        ("It takes 1.47 x as long.", ["1.47"]),
        ("In 2019 it was so with 6 of 12 heads and Python 3.11.", []),
    ],
)
def test_a_number_is_held_against_the_parts_it_links_to(
    found: Callable[[str], list[str]], text: str, wrong: list[str]
) -> None:
    assert found(f"# Page\n\n{text}\n") == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{SPEED}:\n\n| a | 1.47 x |\n| b | 1.48 x |", ["1.48 x"]),
        (f"{SPEED}:\n\n| a | 206.3 |\n| b {MEMORY} | 206.3 |", ["206.3"]),
        (f"{SPEED}:\n\n- 206.3 MiB\n- {MEMORY} 206.3 MiB", ["206.3 MiB"]),
        (f"{SPEED}\n\nAnd {MEMORY}.\n\nIt is 1.47 x.", ["1.47 x"]),
        (f"{SPEED}\n\n## Next\n\nIt is 1.47 x.", ["1.47"]),
    ],
)
def test_links_hold_until_other_links_or_a_heading(
    found: Callable[[str], list[str]], text: str, wrong: list[str]
) -> None:
    assert found(f"# Page\n\n{text}\n") == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"## Rules\n\n{CHOSEN}\n\nFrom 0.5 on.\n\n### More\n\nUp to 0.7.", []),
        (f"## Rules\n\n{CHOSEN}\n\nFrom 0.5 on.\n\n## More\n\nUp to 0.7.", ["0.7"]),
        (f"## Rules\n\n{CHOSEN}\n\nFrom 0.5 on, {SPEED} 1.48 x.", ["0.5", "1.48 x"]),
        (f"## Measured\n\n{CHOSEN}\n\nIt is 0.5.", ["0.5"]),
        ("<!-- table -->\n\n| 1.48 x |\n\n<!-- /table -->", []),
        ("```text\n1.48 x\n```", []),
    ],
)
def test_what_is_chosen_or_written_by_scripts_rests_on_nothing(
    found: Callable[[str], list[str]], text: str, wrong: list[str]
) -> None:
    assert found(f"# Page\n\n{text}\n") == wrong

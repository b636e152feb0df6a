"""What the page of other tools says of measurements is what was kept of them."""

from __future__ import annotations

from docs.peers import BLOCKS, PAGE, kept_of, with_rows


def test_the_page_holds_what_was_measured() -> None:
    page = PAGE.read_text("utf-8")
    assert with_rows(page) == page, "run `make written`"


def test_every_row_of_the_part_stands_in_one_block_of_the_page() -> None:
    begins = [begins for part, begins in BLOCKS.values() if part == "peers"]
    for row in kept_of("peers").rows[1:]:  # the first names the text
        assert sum(row["name"].startswith(some) for some in begins) == 1, row["name"]

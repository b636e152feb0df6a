"""Blocks of pages that are written: what stands between two marks, tables and links."""

from __future__ import annotations

import re
from collections.abc import Sequence

from headscope.errors import HeadscopeError


def marks_of(block: str) -> tuple[str, str]:
    """The lines before and behind a block.

    >>> marks_of("tables")
    ('<!-- tables -->', '<!-- /tables -->')
    """
    return f"<!-- {block} -->", f"<!-- /{block} -->"


def filled(page: str, block: str, content: str, where: str) -> str:
    """The text of a page with other content between the marks of a block.

    >>> print(filled("a\\n<!-- b -->\\nold\\n<!-- /b -->\\n", "b", "new", "a.md"))
    a
    <!-- b -->
    <BLANKLINE>
    new
    <BLANKLINE>
    <!-- /b -->
    <BLANKLINE>
    """
    first, last = marks_of(block)
    before, begin, rest = page.partition(f"{first}\n")
    _, end, after = rest.partition(f"{last}\n")
    if not (begin and end):
        raise HeadscopeError(f"{where} has no lines {first} and {last} for its {block}")
    return f"{before}{begin}\n{content}\n\n{end}{after}"


def anchor(heading: str) -> str:
    """How a heading of a page is linked to.

    >>> anchor("Heads of a decoder: all"), anchor("Gu et al. 2024")
    ('heads-of-a-decoder-all', 'gu-et-al-2024')
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def table_of(lines: Sequence[Sequence[str]]) -> str:
    """A table as Markdown; its first line is the head.

    >>> print(table_of([["a", "b"], ["1 | 2", "3*"]]))
    | a | b |
    | --- | --- |
    | 1 \\| 2 | 3\\* |
    """
    head, *body = lines
    return "\n".join(
        "| " + " | ".join(re.sub(r"[|*]", r"\\\g<0>", cell) for cell in line) + " |"
        for line in (head, ["---"] * len(head), *body)
    )

"""Blocks of pages that are written: what stands between two marks."""

from __future__ import annotations

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

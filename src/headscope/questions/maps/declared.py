"""What the table of maps says about itself."""

from __future__ import annotations

from headscope.results.declaration import HEAD, LEFT, SHARE, Column, Declaration

TABLES: dict[str, Declaration] = {
    "links": Declaration(
        "Strongest link of each head",
        ("head",),
        {
            "head": HEAD["head"],
            "from": Column("token that looks; (2) is the second of those that are alike"),
            "to": Column("token that is looked at"),
            "weight": Column("weight", SHARE),
            "left": LEFT,
        },
    )
}

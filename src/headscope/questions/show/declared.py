"""What the tables of show say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, SHARE, Column, Declaration

TABLES: dict[str, Declaration] = {
    "links": Declaration(
        "Strongest link of each token",
        ("head", "place"),
        {
            "head": HEAD["head"],
            "place": Column("place of the token, from 0"),
            "from": Column("token that looks"),
            "to": Column("token it looks at most", words={"": "nothing"}),
            "weight": Column("weight", SHARE),
            "special": Column("whether one of the two is a special token"),
        },
    ),
    "output": Declaration(
        "What the model makes of the text",
        ("place",),
        {
            "place": Column("place in the list, from 0"),
            "label": Column("what is scored"),
            "before": Column("with all heads"),
            "after": Column("with heads switched off"),
        },
    ),
}

"""What the tables of compare say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, SHARE, Column, Declaration

PAIR = Column("pair of runs")
MEASURE = Column(
    "measure of the survey",
    words={
        "offset:-1": "attention to the previous token",
        "offset:0": "attention to the token itself",
        "offset:1": "attention to the next token",
        "first": "attention to the first token",
        "strongest": "the largest weight of a token",
        "edge:first": "entropy at the first token",
        "edge:last": "entropy at the last token",
        "induction": "attention to what followed the same token, on made text",
        "duplicate": "attention to the same token before, on made text",
        "previous_in_copies": "attention to the previous token, on made text",
        "sink": "attention of the first 64 tokens to the first one",
        "outside": "attention between the first 4 and the last 64 tokens",
        "first_taken": "the share of the first token by the length of what is taken",
    },
)

TABLES: dict[str, Declaration] = {
    "differences": Declaration(
        "What changed in which head",
        ("pair", "head", "measure"),
        {
            "pair": PAIR,
            "head": HEAD["head"],
            "measure": MEASURE,
            "difference": Column("later run less the first, in the measure's unit", low="low", high="high"),
            "low": Column("lower end of its 95 % interval, of this head alone"),
            "high": Column("upper end of it"),
            "reach": Column("half the width of the interval for all heads and measures at once", kind="note"),
            "significant": Column("whether that interval leaves out 0"),
        },
        group="difference",
    ),
    "differences_summary": Declaration(
        "How many heads changed",
        ("pair", "measure"),
        {
            "pair": PAIR,
            "measure": MEASURE,
            "heads": Column("heads"),
            "judged": Column("heads with documents enough to judge their difference"),
            "changed": Column("heads whose difference is more than chance"),
            "share": Column("their share", SHARE),
        },
    ),
}

"""What the tables of compare say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, SHARE, Column, Declaration

PAIR, MEASURE = Column("pair of runs"), Column("measure of the survey")

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
            "reach": Column("half the width of the interval for all heads at once", kind="note"),
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
            "changed": Column("heads whose difference is more than chance"),
            "share": Column("their share", SHARE),
        },
    ),
}

"""What the tables of retrieve say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Column, Declaration
from headscope.results.known import says_known

TABLES: dict[str, Declaration] = {
    "retrieval": Declaration(
        "What was found again",
        ("trials",),
        {
            "trials": Column("needles that were asked for"),
            "retrieved": Column("those of which more than half was written"),
            "share": Column("their share", SHARE),
            "recall": Column("mean share of a secret that was written", SHARE),
            "named": Column("heads that are named"),
            "of_heads": Column("their share of all heads", SHARE),
        },
    ),
    "heads": Declaration(
        "How much of a secret each head finds",
        ("head",),
        {
            **HEAD,
            "score": Column(
                "share of a secret on which its strongest key lies while that is written",
                SHARE,
                error="se",
                baseline="chance",
            ),
            "se": Column("its standard error, over trials", SHARE),
            "chance": Column("share that a random key finds", SHARE),
            "named": Column("whether it is named: from 10 % on"),
        },
        group="retrieval",
    ),
    "trials": Declaration(
        "Every needle",
        ("length", "depth", "needle"),
        {
            "length": Column("tokens of the whole"),
            "depth": Column("where the needle stands: 0 at the beginning, 1 at the end"),
            "needle": Column("number of the needle, from 0"),
            "secret": Column("what was to be found"),
            "recall": Column("share of it that was written", SHARE),
            "retrieved": Column("whether that is more than half"),
        },
    ),
    "removal": Declaration(
        "What is still found without some heads",
        ("removed",),
        {
            "removed": Column("what was removed"),
            "heads": Column("these heads"),
            "count": Column("how many they are"),
            "recall": Column("mean share of a secret that is written, of those found before", SHARE),
            "change": Column("change of it", POINTS),
        },
    ),
    "known_needles": says_known("what it finds", "share of a secret on which its strongest key lies", SHARE),
}

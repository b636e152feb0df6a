"""What the tables of prune say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Column, Declaration

ORDER, TASK = Column("order in which heads go"), Column("task and data")
GONE = Column("share of the heads that are gone", SHARE, kind="note")
RATIO = {
    "ratio": Column("how many times as fast", "times", low="ratio_low", high="ratio_high", better="higher"),
    "ratio_low": Column("a tenth of the turns is below", "times"),
    "ratio_high": Column("a tenth of the turns is above", "times"),
}
CEILING = Column("what could be reached at best", "times")


def _seconds(when: str) -> dict[str, Column]:
    name = f"seconds_{when}"
    return {
        name: Column(
            f"time for a batch {when}", "seconds", low=f"{name}_low", high=f"{name}_high", better="lower"
        ),
        f"{name}_low": Column("a tenth of the turns is below", "seconds"),
        f"{name}_high": Column("a tenth of the turns is above", "seconds"),
    }


TABLES: dict[str, Declaration] = {
    "pruning": Declaration(
        "The score with more and more heads removed",
        ("task", "order", "run", "removed"),
        {
            "task": TASK,
            "metric": Column("metric"),
            "order": ORDER,
            "run": Column("which of the random orders", kind="note"),
            "removed": Column("heads that are gone", kind="note"),
            "share": GONE,
            "score": Column("score", SHARE, better="higher"),
            "change": Column("change from the score of the whole model", POINTS, better="higher"),
            "loss": Column("loss", "nats", better="lower"),
        },
    ),
    "pruning_areas": Declaration(
        "Area under each curve",
        ("task", "order"),
        {
            "task": TASK,
            "order": ORDER,
            "area": Column(
                "mean score over the share removed",
                SHARE,
                low="low",
                high="high",
                baseline="random",
                better="higher",
            ),
            "low": Column("of random orders, where their central 95 % begin", SHARE),
            "high": Column("and where they end", SHARE),
            "random": Column("mean area of the random orders", SHARE),
            "beats": Column("share of the random orders that are below it", SHARE, better="higher"),
            "p": Column("p: would a random order reach it?"),
        },
    ),
    "pruning_orders": Declaration(
        "When each head goes",
        ("order", "head"),
        {"order": ORDER, "place": Column("place in the order, from 0"), **HEAD},
        group="place in the order of removal",
    ),
    "pruned_model": Declaration(
        "The smaller model",
        ("what",),
        {
            "what": Column("what is counted"),
            "before": Column("in the whole model"),
            "after": Column("in the smaller model"),
            "ratio": Column("what is left of it", SHARE),
        },
    ),
    "speed": Declaration(
        "How fast the smaller model is",
        ("batch_size",),
        {
            "share": GONE,
            "batch_size": Column("examples in a batch"),
            "before": Column("speed before", "examples a second", better="higher"),
            "after": Column("speed after", "examples a second", better="higher"),
            **_seconds("before"),
            **_seconds("after"),
            **RATIO,
            "attention_share": Column("attention's share of the time", SHARE),
            "ceiling": CEILING,
        },
    ),
    "speed_curve": Declaration(
        "How fast smaller models are, by what is removed",
        ("asked",),
        {
            "asked": Column("share of the heads that was to go", SHARE),
            "share": GONE,
            "batch_size": Column("examples in a batch", kind="note"),
            **RATIO,
            "ceiling": CEILING,
        },
    ),
}

"""What the tables of finetune say about themselves."""

from __future__ import annotations

from headscope.results.declaration import SHARE, Column, Declaration

TABLES: dict[str, Declaration] = {
    "training": Declaration(
        "The course of training",
        ("step",),
        {
            "step": Column("number of steps so far", kind="note"),
            "epoch": Column("epochs so far", kind="note"),
            "seconds": Column("time so far", "seconds", kind="note"),
            "train_loss": Column("loss since the evaluation before, with dropout", "nats", better="lower"),
            "dev_loss": Column("loss on the dev data", "nats", better="lower"),
            "dev_score": Column("score on the dev data", SHARE, better="higher"),
            "rate": Column("learning rate", kind="note"),
            "best": Column("whether it is better than all before"),
            "chosen": Column("whether its weights were kept"),
        },
    ),
    "finetuned": Declaration(
        "How good the chosen weights are",
        ("data",),
        {
            "data": Column("what the data are for"),
            "source": Column("their name"),
            "examples": Column("examples"),
            "metric": Column("metric"),
            "score": Column("score", SHARE, low="low", high="high", baseline="constant", better="higher"),
            "low": Column("lower end of its 95 % interval, over examples", SHARE),
            "high": Column("upper end of it", SHARE),
            "loss": Column("loss of an example", "nats", better="lower"),
            "majority": Column("score of the label that is most frequent in training", SHARE),
            "constant": Column("score of the label that is most frequent in these data", SHARE),
        },
    ),
}

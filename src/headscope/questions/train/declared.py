"""What the tables of train say about themselves."""

from __future__ import annotations

from headscope.results.declaration import SHARE, Column, Declaration

SEED = {"seed": Column("seed of the model", kind="note")}
DATA = {"data": Column("what the data are for")}
METRIC = {"metric": Column("metric")}
DEV = {
    "dev_loss": Column("loss on the dev data", "nats", better="lower"),
    "dev_score": Column("score on the dev data", SHARE, better="higher"),
}

TABLES: dict[str, Declaration] = {
    "trained": Declaration(
        "How good the chosen weights are",
        ("seed", "data"),
        {
            **SEED,
            **DATA,
            "source": Column("their name"),
            "examples": Column("examples"),
            **METRIC,
            "score": Column("score", SHARE, low="low", high="high", baseline="constant", better="higher"),
            "low": Column("lower end of its 95 % interval, over examples", SHARE),
            "high": Column("upper end of it", SHARE),
            "loss": Column("loss of an example", "nats", better="lower"),
            "majority": Column("score of the label that is most frequent in training", SHARE),
            "constant": Column("score of the label that is most frequent in these data", SHARE),
        },
    ),
    "seeds": Declaration(
        "Scores over all models",
        ("data",),
        {
            **DATA,
            **METRIC,
            "models": Column("models"),
            "mean": Column("mean score", SHARE, low="lowest", high="highest", better="higher"),
            "deviation": Column("standard deviation over seeds", SHARE),
            "lowest": Column("lowest score", SHARE),
            "highest": Column("highest score", SHARE),
        },
    ),
    "training": Declaration(
        "The course of training",
        ("seed", "step"),
        {
            **SEED,
            "step": Column("number of steps so far", kind="note"),
            "epoch": Column("epochs so far", kind="note"),
            "seconds": Column("time so far", "seconds", kind="note"),
            "train_loss": Column("loss of the epoch, with dropout", "nats", better="lower"),
            **DEV,
            "rate": Column("learning rate", kind="note"),
            "best": Column("whether it is better than all before"),
            "chosen": Column("whether its weights were kept"),
        },
    ),
    "bleu": Declaration(
        "BLEU of what was written, by length of the source",
        ("seed", "data", "quarter", "scorer"),
        {
            **SEED,
            **DATA,
            "quarter": Column("quarter of the examples, by words of the source"),
            "least": Column("fewest words of a source in it", "words", kind="note"),
            "most": Column("most words of a source in it", "words", kind="note"),
            "examples": Column("examples"),
            "scorer": Column("whose BLEU"),
            "tokenisation": Column("how texts are taken apart before"),
            "bleu": Column("BLEU", SHARE, better="higher"),
        },
    ),
    "translations": Declaration(
        "What was written",
        ("seed", "data", "document"),
        {
            **SEED,
            **DATA,
            "document": Column("document"),
            "source": Column("text that was read"),
            "wanted": Column("translation that was wanted, in words of the tokenizer"),
            "written": Column("translation that was written"),
        },
    ),
    "checkpoints": Declaration(
        "Checkpoints, each a model of its own",
        ("seed", "epoch"),
        {
            **SEED,
            "epoch": Column("epochs of training", kind="note"),
            "folder": Column("where it lies in the run folder"),
            **DEV,
        },
    ),
}

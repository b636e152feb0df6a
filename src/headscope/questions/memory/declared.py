"""What the tables of memory say about themselves."""

from __future__ import annotations

from headscope.results.declaration import POINTS, SHARE, Column, Declaration

NET = {"net": Column("net")}
MODEL = {
    **NET,
    "curriculum": Column("curriculum"),
    "seed": Column("seed", kind="note"),
}
DELAY = {"delay": Column("delay in words", kind="note")}
CHANCE = {"chance": Column("share that guessing gives", SHARE)}
MODELS = {"models": Column("models")}
LAYER = Column("layer (0: embeddings)", kind="note")
LEARNED = Column("models, those that have learned the task")
SPEED = "of the state in a step under the fixed filler"
SURE = "whether that is more than chance, all rows taken together"


def _above(name: str, other: str) -> dict[str, Column]:
    """The difference to a baseline, with its interval."""
    low, high = f"above_{name}_low", f"above_{name}_high"
    return {
        f"above_{name}": Column(f"accuracy less that of {other}", POINTS, low=low, high=high),
        low: Column("lower end of its interval, which holds for all rows at once", POINTS),
        high: Column("upper end of it", POINTS),
    }


OF_NETS: dict[str, Declaration] = {
    "retention": Declaration(
        "Right answers by delay, over all seeds",
        ("net", "curriculum", "delay"),
        {
            **NET,
            "curriculum": MODEL["curriculum"],
            **DELAY,
            "beyond": Column("whether it is longer than any in training"),
            **MODELS,
            "learned": Column("models that have learned the task"),
            "mean": Column(
                "mean share of right answers",
                SHARE,
                low="lowest",
                high="highest",
                baseline="chance",
                better="higher",
            ),
            "deviation": Column("its standard deviation over seeds", SHARE),
            "lowest": Column("lowest of all models", SHARE),
            "highest": Column("highest of all models", SHARE),
            **CHANCE,
            "sure": Column("whether even the lowest is above guessing, all rows taken together"),
            "change": Column("mean less that at the shortest delay", POINTS),
        },
    ),
    "retention_models": Declaration(
        "Right answers of each model by delay",
        ("net", "curriculum", "seed", "delay"),
        {
            **MODEL,
            **DELAY,
            "accuracy": Column(
                "share of right answers", SHARE, low="low", high="high", baseline="chance", better="higher"
            ),
            "low": Column("lower end of its 95 % interval, over sequences", SHARE),
            "high": Column("upper end of it", SHARE),
            **CHANCE,
        },
    ),
    "slow_points": Declaration(
        "Slow points of each class, and how well it is retained",
        ("net", "curriculum", "seed", "class"),
        {
            **MODEL,
            "class": Column("class", kind="note"),
            "mean_speed": Column(f"speed {SPEED}, at the mean state of the class", better="lower"),
            "speed": Column("speed at the slow point that is reached from there", better="lower"),
            "read": Column("whether the slow point still gives the class when it is asked"),
            "retained": Column("right answers of the class at the longest delay", SHARE, better="higher"),
            "moved": Column(
                "how far its mean state moves from the longest delay of training to the longest of all, in "
                "mean distances between classes",
                better="lower",
            ),
            "learned": Column("whether the model has learned the task"),
        },
    ),
    "forgetting": Declaration(
        "Whether faster slow points forget more",
        ("net", "scope", "delay"),
        {
            **NET,
            "scope": Column(
                "over all classes of all models, over the classes within each model, or over means of models"
            ),
            **DELAY,
            "models": LEARNED,
            "points": Column("pairs of a speed and a share of right answers"),
            "spearman": Column("rank correlation of speed and right answers at that delay"),
            "p": Column(
                "chance of one as far from 0, by permutation, both sides; pooled as if all were apart"
            ),
            "adjusted": Column("the same for all rows taken together (Holm)"),
            "sure": Column(SURE),
        },
    ),
    "curricula": Declaration(
        "The two curricula beside each other",
        ("net", "delay"),
        {
            **NET,
            **DELAY,
            "by_delay": Column("mean right answers, trained with longer and longer delays", SHARE),
            "by_vocabulary": Column("mean right answers, trained with more and more classes", SHARE),
            "difference": Column("the latter less the former", POINTS),
        },
    ),
    "slowed": Declaration(
        "Each model after its training, after more of it, and after more of it with a penalty on speed",
        ("net", "curriculum", "seed", "after"),
        {
            **MODEL,
            "after": Column("after what"),
            "speed": Column("median speed of its slow points", better="lower"),
            "read": Column("slow points that still give their class", SHARE, better="higher"),
            "shortest": Column("right answers at the shortest delay", SHARE, better="higher"),
            "longest": Column("right answers at the longest delay", SHARE, better="higher"),
        },
    ),
    "slowed_change": Declaration(
        "What the penalty on speed changes, beside as much training without it",
        ("net", "delay"),
        {
            **NET,
            **DELAY,
            "models": LEARNED,
            "speed": Column("speed of slow points as a multiple of that without the penalty"),
            "speed_p": Column("chance of a change as large, by random signs over models, both sides"),
            "change": Column("change of right answers", POINTS),
            "p": Column(
                "chance of one as large, by random signs over models, both sides; of delays beyond training"
            ),
            "adjusted": Column("the same for all rows taken together (Holm)"),
        },
    ),
}

OF_MODELS: dict[str, Declaration] = {
    "reading": Declaration(
        "What a probe reads of a word, by layer and by how many tokens ago it stood",
        ("layer", "delay"),
        {
            "layer": LAYER,
            "delay": Column("delay in tokens", kind="note"),
            "accuracy": Column(
                "right answers of the probe", SHARE, low="low", high="high", baseline="twin", better="higher"
            ),
            "low": Column("lower end of its 95 % interval, over texts", SHARE),
            "high": Column("upper end of it", SHARE),
            **CHANCE,
            "shuffled": Column("right answers of a probe that was trained on shuffled labels", SHARE),
            **_above("shuffled", "a probe of shuffled labels"),
            "twin": Column("right answers of probes over random twins", SHARE),
            **_above("twin", "random twins"),
            "sure": Column("whether it is above all that stand beside it, for all rows at once"),
        },
    ),
    "reach": Declaration(
        "How far back each layer reaches",
        ("layer",),
        {
            "layer": LAYER,
            "farthest": Column("longest delay at which it tells the word for sure, in tokens; 0: none"),
            "accuracy": Column(
                "right answers there, or at the shortest delay", SHARE, low="low", high="high"
            ),
            "low": Column("lower end of its 95 % interval", SHARE),
            "high": Column("upper end of it", SHARE),
            "twin": Column("right answers over random twins there", SHARE),
            "shuffled": Column("right answers of a probe of shuffled labels there", SHARE),
            "any": Column("whether it tells the word at any delay"),
        },
    ),
}

TABLES: dict[str, Declaration] = OF_NETS | OF_MODELS

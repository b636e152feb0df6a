"""What the tables of trust say about themselves that are of other models, other texts, and people."""

from __future__ import annotations

from headscope.results.declaration import POINTS, SHARE, Column, Declaration
from headscope.results.vocabulary import ANSWERS


def ends_of(name: str, unit: str = "") -> dict[str, Column]:
    """The columns of an interval."""
    return {
        f"{name}_low": Column("lower end of its 95 % interval", unit),
        f"{name}_high": Column("upper end of it", unit),
    }


BESIDE: dict[str, Declaration] = {
    "even_attention": Declaration(
        "The model trained with its own attention and with even attention",
        ("attention",),
        {
            "attention": Column("attention that it was trained and scored with"),
            "begins": Column("what training began from, the same for both"),
            "score": Column("score on the data", SHARE, low="low", high="high", better="higher"),
            "low": Column("lower end of its 95 % interval", SHARE),
            "high": Column("upper end of it", SHARE),
            "difference": Column(
                "score less that with its own", POINTS, low="difference_low", high="difference_high"
            ),
            **ends_of("difference", POINTS),
            "loss": Column("loss", "nats", better="lower"),
            "examples": Column("examples"),
        },
    ),
    "seeds": Declaration(
        "The same explanation of models trained with other seeds, and of a random twin",
        ("against",),
        {
            "against": Column("the other model"),
            "tau": Column("Kendall's tau of how both order the words", low="tau_low", high="tau_high"),
            **ends_of("tau"),
            "divergence": Column("Jensen-Shannon divergence of what both give the words", "nats"),
            "by_heads": Column("the same of single heads, each with the one that it is matched with", "nats"),
            "same": Column("share of texts to which both answer the same", SHARE),
            "answers": Column("answers"),
        },
    ),
    "edits": Declaration(
        "Does it lie on the words that were edited to change the label?",
        ("texts",),
        {
            "texts": Column("edited texts"),
            "verdict": Column("whether it does", kind="category", levels=ANSWERS),
            "share": Column(
                "share of it on new words", SHARE, low="low", high="high", baseline="even", better="higher"
            ),
            "low": Column("lower end of its 95 % interval", SHARE),
            "high": Column("upper end of it", SHARE),
            "even": Column("the same of even importance", SHARE),
            "replaced": Column("share of it on the words that they replace, in the original", SHARE),
            "difference": Column(
                "share on new words less that on the words that they replace: how far it moved there",
                POINTS, low="difference_low", high="difference_high", signed=True,
            ),
            **ends_of("difference", POINTS),
        },
    ),
    "rewordings": Declaration(
        "Does it order the words alike in other words that mean the same?",
        ("texts",),
        {
            "texts": Column("texts that share two words or more with their rewording"),
            "equal": Column("texts left out, as their rewording has the same words in the same places"),
            "verdict": Column("whether it does", kind="category", levels=ANSWERS),
            "tau": Column(
                "Kendall's tau of the words that both texts share",
                low="tau_low", high="tau_high", baseline="random", better="higher",
            ),
            **ends_of("tau"),
            "random": Column("the same with random orders of the rewording"),
            "shared": Column("mean number of words that both share"),
            "same": Column("share of texts to which the model answers the same in both", SHARE),
        },
    ),
    "people": Declaration(
        "The words that people marked",
        ("answers",),
        {
            "answers": Column("answers to texts with a marked word"),
            "auprc": Column(
                "area under precision and recall",
                low="auprc_low", high="auprc_high", baseline="auprc_random", better="higher",
            ),
            **ends_of("auprc"),
            "auprc_random": Column("the same of random orders"),
            "iou": Column(
                "intersection over union with as many most important words", low="iou_low", high="iou_high",
                baseline="iou_random", better="higher",
            ),
            **ends_of("iou"),
            "iou_random": Column("the same of random orders"),
        },
    ),
}  # fmt: skip

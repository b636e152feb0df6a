"""What the tables of ablate say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Column, Declaration
from headscope.results.vocabulary import BETTER, HARMLESS, UNDECIDED, VERDICTS, WORSE

VERDICT = Column("verdict", kind="category", levels=VERDICTS)
EFFECTS = {
    "score": Column("score without it", SHARE, better="higher"),
    "effect": Column("change of the score", POINTS, low="low", high="high", better="higher"),
    "low": Column("lower end of its interval, for all at once", POINTS),
    "high": Column("upper end of it", POINTS),
    "worst": Column("worst that is not excluded", POINTS),
    "p": Column("p"),
    "p_adjusted": Column("p, for all heads"),
    "verdict": VERDICT,
    "loss": Column("loss without it", "nats", better="lower"),
    "loss_effect": Column("change of the loss", "nats", low="loss_low", high="loss_high", better="lower"),
    "loss_low": Column("lower end of its interval, for all at once", "nats"),
    "loss_high": Column("upper end of it", "nats"),
    "loss_p": Column("p, of the loss"),
    "loss_p_adjusted": Column("p, of the loss, for all heads"),
    "loss_verdict": Column("verdict on the loss", kind="category", levels=VERDICTS),
}
# The table `ablation` has these already, with their intervals.
AGAIN = {
    "effect": Column("change of the score", POINTS, kind="note"),
    "loss_effect": Column("change of the loss", "nats", kind="note"),
    "verdict": Column("verdict", kind="note", levels=VERDICTS),
}
INTERVAL = {
    "low": Column("lower end of its 95 % interval"),
    "high": Column("upper end of it"),
}

TABLES: dict[str, Declaration] = {
    "ablation": Declaration(
        "What the task loses without each head", ("head",), {**HEAD, **EFFECTS}, group="without the head"
    ),
    "ablation_layers": Declaration(
        "What the task loses without layers",
        ("stack", "layer", "removed"),
        {
            "stack": HEAD["stack"],
            "layer": HEAD["layer"],
            "removed": Column("what was removed"),
            "kept": Column("the head that stayed alone"),
            **EFFECTS,
        },
    ),
    "ablation_summary": Declaration(
        "The whole model, and how many heads have each verdict",
        ("data",),
        {
            "data": Column("data"),
            "task": Column("task"),
            "metric": Column("metric"),
            "examples": Column("examples"),
            "score": Column("score of the whole model", SHARE, better="higher"),
            "loss": Column("its loss", "nats", better="lower"),
            "heads": Column("heads"),
            WORSE: Column("heads without which it is worse"),
            UNDECIDED: Column("heads of which the data do not tell"),
            HARMLESS: Column("heads without which nothing is lost"),
            BETTER: Column("heads without which it is better"),
        },
    ),
    "importance": Declaration(
        "Importance of each head, beside what it does",
        ("head",),
        {
            **HEAD,
            "example": Column("gradient by example", "nats"),
            "example_normalised": Column("gradient by example, by layer"),
            "token": Column("gradient by token", "nats"),
            "token_normalised": Column("gradient by token, by layer"),
            "confidence": Column("mean largest weight on an ordinary token", SHARE),
            "effect": AGAIN["effect"],
            "loss_effect": AGAIN["loss_effect"],
        },
        group="importance",
    ),
    "importance_agreement": Declaration(
        "Does importance tell what removing a head does?",
        ("score", "against"),
        {
            "score": Column("kind of importance"),
            "against": Column("what the harm is measured on"),
            "spearman": Column("rank correlation", low="low", high="high"),
            **INTERVAL,
        },
    ),
    "ablation_both": Declaration(
        "The same heads on another data set",
        ("head",),
        {
            **HEAD,
            "effect": AGAIN["effect"],
            "verdict": AGAIN["verdict"],
            "other_effect": Column("change of the score on the other data", POINTS, better="higher"),
            "other_verdict": Column("verdict on the other data", kind="category", levels=VERDICTS),
        },
        group="without the head",
    ),
    "ablation_agreement": Declaration(
        "Do the effects on both data sets agree?",
        ("measure",),
        {
            "data": Column("data"),
            "other": Column("other data"),
            "measure": Column("correlation"),
            "value": Column("its value", low="low", high="high"),
            **INTERVAL,
        },
    ),
}

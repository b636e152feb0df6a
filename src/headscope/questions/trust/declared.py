"""What the tables of trust say about themselves."""

from __future__ import annotations

from headscope.questions.trust.declared_beside import BESIDE, ends_of
from headscope.results.declaration import HEAD, POINTS, SHARE, Column, Declaration
from headscope.results.vocabulary import ANSWERS

EXPLANATION = Column("explanation")
TAU = Column("Kendall's tau with leave-one-out", low="tau_low", high="tau_high", better="higher")
COMPREHENSIVENESS = Column(
    "fall of the probability without the top 1, 5, 10, 20, 50 % of words",
    POINTS, low="comprehensiveness_low", high="comprehensiveness_high", better="higher",
)  # fmt: skip


TABLES: dict[str, Declaration] = {
    "card": Declaration(
        "What may be said of the explanation",
        ("explanation",),
        {
            "explanation": EXPLANATION,
            "shown": Column("whether it may be shown as an explanation", kind="category", levels=ANSWERS),
            "summary": Column("what the verdicts say, in a sentence"),
            "instead": Column("what to show instead: that which identifies best, if better beyond chance"),
            "passes": Column("forward passes that it costs for an answer"),
            "backward": Column("backward passes that it costs for an answer"),
            "not_tested": Column("claims that were not tested"),
        },
    ),
    "claims": Declaration(
        "Claims that people make when they show it, and whether they hold",
        ("claim",),
        {
            "claim": Column("claim"),
            "verdict": Column("whether it holds", kind="category", levels=ANSWERS),
            "means": Column("what it says"),
            "value": Column(
                "its number, over answers", low="value_low", high="value_high", baseline="baseline"
            ),
            **ends_of("value"),
            "baseline": Column("the same by chance, or the bound that it is held to"),
            "ceiling": Column("the best that can be had"),
            "way": Column("how far it comes from chance (0) to the best (1)", low="low", high="high"),
            "low": Column("lower end of its 95 % interval"),
            "high": Column("upper end of it"),
            "answers": Column("answers"),
            "documents": Column("texts that they are to"),
            "measure": Column("what the number is"),
            "beside": Column("what chance is"),
            "best": Column("what the best is"),
            "removed": Column("how words are taken away"),
            "target": Column("what is explained"),
            "why": Column("why there is no verdict, where there is none"),
        },
        claims=True,
    ),
    "faithfulness": Declaration(
        "Every explanation: what happens without the words that it names",
        ("explanation",),
        {
            "explanation": EXPLANATION,
            "what": Column("what it is"),
            "on_trial": Column("whether it is the one on trial"),
            "comprehensiveness": COMPREHENSIVENESS,
            **ends_of("comprehensiveness", POINTS),
            "sufficiency": Column("fall of it with these words alone", POINTS, better="lower"),
            "aopc": Column(
                "fall of it, mean over words taken away one by one",
                POINTS, low="aopc_low", high="aopc_high", better="higher",
            ),
            **ends_of("aopc", POINTS),
            "naopc": Column("that between the model's own worst (0) and best order (1)", better="higher"),
            "until": Column(
                "share of words gone when the answer changes, 1 where it never does",
                SHARE, low="until_low", high="until_high", better="lower",
            ),
            **ends_of("until", SHARE),
            "flipped": Column("share of answers that change at all", SHARE),
            "tau": TAU,
            **ends_of("tau"),
            "top": Column("share of the three most important words in common with leave-one-out", SHARE),
            "significant": Column(
                "share of answers whose tau with leave-one-out has p up to 0.05; it grows with their length",
                SHARE,
            ),
            "tau_gradient": Column("tau with gradient x input"),
            "tau_detached": Column("the same with attention held fixed"),
            "forward": Column("forward passes for an answer"),
            "backward": Column("backward passes for an answer"),
            "answers": Column("answers; the model's own best and worst order are of short texts alone"),
        },
    ),
    "answered": Declaration(
        "What was explained",
        ("data",),
        {
            "data": Column("data"),
            "task": Column("task"),
            "answers": Column("answers"),
            "documents": Column("texts that they are to"),
            "probability": Column("mean probability of the answer", SHARE),
            "words": Column("mean number of words that can be taken away"),
            "right": Column("share of answers that are right", SHARE),
        },
    ),
    "swaps": Declaration(
        "What other attention does to the answer",
        ("scope", "swap"),
        {
            "scope": Column("whose weights are changed, where the answer is given"),
            "swap": Column("what is put in their place; permuted: median of 100"),
            "variation": Column(
                "total variation distance from the model's answer", low="variation_low", high="variation_high"
            ),
            **ends_of("variation"),
            "changed": Column(
                "share of answers that become others", SHARE, low="changed_low", high="changed_high"
            ),
            **ends_of("changed", SHARE),
            "answers": Column("answers"),
        },
    ),
    "uniqueness": Declaration(
        "How far attention can be moved while the answer stays",
        ("answers",),
        {
            "answers": Column("answers with such weights"),
            "without": Column("answers for which the search found none"),
            "divergence": Column(
                "median over answers of the largest divergence of weights that answer alike",
                "nats", low="low", high="high",
            ),
            "low": Column("lower end of its 95 % interval", "nats"),
            "high": Column("upper end of it", "nats"),
            "variation": Column("median total variation of their answers, over all classes"),
            "half_variation": Column("half of it, which is also printed as TVD of two classes"),
            "between_seeds": Column(
                "median over these answers of how far weights lie from those of --against, heads matched",
                "nats",
            ),
        },
    ),
    "single_weights": Declaration(
        "What happens without the largest weight, and without another one",
        ("answers",),
        {
            "answers": Column("answers"),
            "only_top": Column("share of answers that change without the largest weight alone", SHARE),
            "only_other": Column("share that change without another one alone", SHARE),
            "both": Column("share that change without either", SHARE),
            "neither": Column("share that never change", SHARE),
            "mcnemar": Column("p of McNemar, whether the largest changes more"),
            "more_divergence": Column("how much further the largest moves the answer", "nats"),
            "more": Column("share of answers that it moves further", SHARE),
            "largest": Column("mean largest weight of a word", SHARE),
            "with_largest": Column(
                "tau, over answers, of the largest weight with how far permuted weights move the answer"
            ),
            "conicity": Column("how alike the vectors are that attention mixes, 1 where all are the same"),
        },
    ),
    "removals": Declaration(
        "Words taken away in other ways",
        ("removal", "explanation"),
        {
            "removal": Column("how words are taken away"),
            "explanation": EXPLANATION,
            "comprehensiveness": COMPREHENSIVENESS,
            **ends_of("comprehensiveness", POINTS),
            "sufficiency": Column("fall of it with these words alone", POINTS, better="lower"),
        },
    ),
    **BESIDE,
    "examples": Declaration(
        "Where the explanation does best and worst, word by word",
        ("example", "place"),
        {
            "example": Column("worked: its order costs the answer most, beside chance; failing: least"),
            "text": Column("text"),
            "answer": Column("what the model answers"),
            "probability": Column("probability of it", SHARE),
            "place": Column("place of the word, from 0"),
            "word": Column("word"),
            "importance": Column("its importance by the explanation on trial", signed=True),
            "leave_one_out": Column("fall of the probability without it", POINTS),
        },
    ),
    "trust_heads": Declaration(
        "How well each head explains",
        ("head",),
        {
            **HEAD,
            "tau": TAU,
            **ends_of("tau"),
            "until": Column(
                "share of words gone when the answer changes, in fifths",
                SHARE, low="until_low", high="until_high", better="lower",
            ),
            **ends_of("until", SHARE),
            "naopc": Column(
                "fall of the probability between the model's own worst (0) and best order (1), of heads that "
                "the other half of the texts chose",
                better="higher",
            ),
        },
        group="explains",
    ),
    "best_head": Declaration(
        "The head that explains best, chosen on the other half of the texts",
        ("half",),
        {
            "half": Column("half of the texts that it is scored on"),
            "head": HEAD["head"],
            "tau": Column("its tau with leave-one-out", better="higher"),
            "on_trial": Column("that of the explanation on trial"),
            "difference": Column("how much more", low="low", high="high", signed=True),
            "low": Column("lower end of its 95 % interval"),
            "high": Column("upper end of it"),
            "answers": Column("answers"),
        },
    ),
}  # fmt: skip

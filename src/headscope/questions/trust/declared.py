"""What the tables of trust say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Column, Declaration
from headscope.results.vocabulary import ANSWERS

EXPLANATION = Column("explanation")
TAU = Column("Kendall's tau with leave-one-out", low="tau_low", high="tau_high", better="higher")
COMPREHENSIVENESS = Column(
    "fall of the probability without the top 1, 5, 10, 20, 50 % of words",
    POINTS, low="comprehensiveness_low", high="comprehensiveness_high", better="higher",
)  # fmt: skip


def _ends(name: str, unit: str = "") -> dict[str, Column]:
    return {
        f"{name}_low": Column("lower end of its 95 % interval", unit),
        f"{name}_high": Column("upper end of it", unit),
    }


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
            **_ends("value"),
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
    ),
    "faithfulness": Declaration(
        "Every explanation: what happens without the words that it names",
        ("explanation",),
        {
            "explanation": EXPLANATION,
            "what": Column("what it is"),
            "on_trial": Column("whether it is the one on trial"),
            "comprehensiveness": COMPREHENSIVENESS,
            **_ends("comprehensiveness", POINTS),
            "sufficiency": Column("fall of it with these words alone", POINTS, better="lower"),
            "aopc": Column(
                "fall of it, mean over words taken away one by one",
                POINTS, low="aopc_low", high="aopc_high", better="higher",
            ),
            **_ends("aopc", POINTS),
            "naopc": Column("that between the model's own worst (0) and best order (1)", better="higher"),
            "until": Column(
                "share of words gone when the answer changes, 1 where it never does",
                SHARE, low="until_low", high="until_high", better="lower",
            ),
            **_ends("until", SHARE),
            "flipped": Column("share of answers that change at all", SHARE),
            "tau": TAU,
            **_ends("tau"),
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
            **_ends("variation"),
            "changed": Column(
                "share of answers that become others", SHARE, low="changed_low", high="changed_high"
            ),
            **_ends("changed", SHARE),
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
            **_ends("comprehensiveness", POINTS),
            "sufficiency": Column("fall of it with these words alone", POINTS, better="lower"),
        },
    ),
    "even_attention": Declaration(
        "The model trained on, with its own attention and with even attention",
        ("attention",),
        {
            "attention": Column("attention that it was trained and scored with"),
            "score": Column("score on the data", SHARE, low="low", high="high", better="higher"),
            "low": Column("lower end of its 95 % interval", SHARE),
            "high": Column("upper end of it", SHARE),
            "difference": Column(
                "score less that with its own", POINTS, low="difference_low", high="difference_high"
            ),
            **_ends("difference", POINTS),
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
            **_ends("tau"),
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
            **_ends("difference", POINTS),
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
            **_ends("auprc"),
            "auprc_random": Column("the same of random orders"),
            "iou": Column(
                "intersection over union with as many most important words", low="iou_low", high="iou_high",
                baseline="iou_random", better="higher",
            ),
            **_ends("iou"),
            "iou_random": Column("the same of random orders"),
        },
    ),
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
            **_ends("tau"),
            "until": Column(
                "share of words gone when the answer changes, in fifths",
                SHARE, low="until_low", high="until_high", better="lower",
            ),
            **_ends("until", SHARE),
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

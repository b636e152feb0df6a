"""What the tables of align say about themselves."""

from __future__ import annotations

from headscope.questions.align.readings import ANY, CHOICES, MEASURES, TOKENS, UNITS
from headscope.results.declaration import HEAD, POINTS, SHARE, Card, Column, Declaration

LOW, HIGH = Column("lower end of its 95 % interval", SHARE), Column("upper end of its 95 % interval", SHARE)
REFERENCE = Column("whose links it is held against")
MEASURE = Column("by weights or by norms", kind="category", levels=(ANY, *MEASURES))
TOKEN = Column("read where a word is written, or where it is read in", kind="category", levels=(ANY, *TOKENS))
FIXED = Column("alignment error rate of the best of diagonal and fixed offsets", SHARE)
RATES = {
    "precision": Column("links that are at least possible", SHARE, better="higher"),
    "recall": Column("sure links that were found", SHARE, better="higher"),
    "f1": Column("harmonic mean of both", SHARE, better="higher"),
}
SCORES = {
    "error": Column("alignment error rate", SHARE, low="low", high="high", better="lower"),
    "low": LOW,
    "high": HIGH,
    **RATES,
}
ITEM = {
    "reference": REFERENCE,
    "measure": MEASURE,
    "token": TOKEN,
    "error": Column(
        "alignment error rate of what is attended to most", SHARE, baseline="fixed", better="lower"
    ),
    **RATES,
    "threshold": Column("the threshold that is best for it", SHARE),
    "threshold_error": Column("alignment error rate by it", SHARE, better="lower"),
    "move": Column("how far beside the word attended to most its links are best read", "words", signed=True),
    "moved_error": Column("alignment error rate there", SHARE, better="lower"),
    "fixed": FIXED,
}


def compared(says: str) -> dict[str, Column]:
    """Columns of what an error rate is above another one."""
    return {
        "effect": Column(says, POINTS, low="effect_low", high="effect_high", better="lower"),
        "effect_low": Column("lower end of its 95 % interval", POINTS),
        "effect_high": Column("upper end of its 95 % interval", POINTS),
        "p": Column("p: is it other than 0?"),
        "p_adjusted": Column("p, for all rows of a reference"),
    }


TABLES: dict[str, Declaration] = {
    "alignment": Declaration(
        "How well the best head or layer links words",
        ("reference", "unit", "measure", "token", "choice"),
        {
            "reference": REFERENCE,
            "unit": Column("chosen among heads or among whole layers", kind="category", levels=UNITS),
            "measure": MEASURE,
            "token": TOKEN,
            "choice": Column("most attention, or enough of it", kind="category", levels=(ANY, *CHOICES)),
            "item": Column("best one, scored on the first half of the pairs"),
            "other_item": Column("best one, scored on the second half"),
            "rule": Column("its rule"),
            "other_rule": Column("that of the other"),
            "by": Column("its measure"),
            "other_by": Column("that of the other"),
            "at": Column("its token"),
            "other_at": Column("that of the other"),
            "same_data_item": Column("best one on all pairs"),
            "same_data": Column("alignment error rate on the pairs that chose it, as papers print it", SHARE),
            **SCORES,
            "error": Column(
                "alignment error rate, where it was not chosen",
                SHARE,
                low="low",
                high="high",
                baseline="fixed",
                better="lower",
            ),
            "fixed": FIXED,
            "twin": Column("alignment error rate of the best of random twins, mean", SHARE),
            "twin_low": Column("the same, lowest", SHARE),
            "p": Column("p: is it other than that of diagonal and offsets?"),
            "p_adjusted": Column("p, for all rows of a reference"),
            "found": Column("more than chance: below, p_adjusted below 0.05, and no random twin as good"),
        },
        card=Card(
            ("item", "other_item"),
            "word alignment: {measure}, {token} token, {choice}",
            "error rate {error}, diagonal or offset {fixed}",
            "found",
        ),
    ),
    "align_effects": Declaration(
        "What another reading does to the error rate of the best head",
        ("reference", "change"),
        {
            "reference": REFERENCE,
            "change": Column("what is changed in weights of a head, output token, argmax"),
            "plain": Column("alignment error rate before", SHARE),
            "error": Column("alignment error rate after", SHARE, better="lower"),
            **compared("change of it"),
        },
    ),
    "aligners": Declaration(
        "How well simple and statistical aligners link the same words",
        ("reference", "aligner", "how"),
        {
            "reference": REFERENCE,
            "aligner": Column("aligner"),
            "how": Column("its direction, how both are joined, or what was chosen"),
            **SCORES,
            **compared("how much its error rate is above that of the best head"),
        },
    ),
    "align_heads": Declaration(
        "How well each head links words, on all pairs",
        ("head", "reference", "measure", "token"),
        {**HEAD, **ITEM},
        group="word alignment",
    ),
    "align_layers": Declaration(
        "How well each layer links words, on all pairs",
        ("layer_name", "reference", "measure", "token"),
        {
            "layer_name": Column("layer of the cross-attention"),
            "stack": HEAD["stack"],
            "layer": HEAD["layer"],
            **ITEM,
        },
    ),
    "align_joined": Declaration(
        "The links of both directions, joined",
        ("reference", "joined"),
        {
            "reference": REFERENCE,
            "joined": Column("direction, or how both are joined"),
            **SCORES,
            **compared("how much its error rate is above that of the first direction"),
        },
    ),
    "align_links": Declaration(
        "The links of every pair, counted from 0",
        ("pair",),
        {"pair": Column("pair")},
        rest=Column("links i-j, {name}", kind="note"),
    ),
}

"""What the tables of syntax say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, SHARE, Card, Column, Declaration
from headscope.results.known import says_known
from headscope.results.vocabulary import READINGS

LOW, HIGH = Column("lower end of its 95 % interval", SHARE), Column("upper end of its 95 % interval", SHARE)
CHOSEN = {
    "relation": Column("relation"),
    "words": Column("words that bear it"),
    "head": Column("best head, scored on the first half of the documents"),
    "other_head": Column("best head, scored on the second half"),
    "reading": Column("reading of the first head"),
    "other_reading": Column("reading of the second"),
    "accuracy": Column(
        "right, where it was not chosen",
        SHARE,
        low="low",
        high="high",
        baseline="offset_accuracy",
        better="higher",
    ),
    "low": LOW,
    "high": HIGH,
    "offset": Column("best fixed offset over the same words", "words", signed=True),
    "offset_accuracy": Column("right by it", SHARE),
}
SAME_DATA = {
    "same_data_head": Column("best head on all documents"),
    "same_data_reading": Column("its reading"),
    "same_data_accuracy": Column(
        "right, chosen and scored on the same words, as papers print it",
        SHARE,
        baseline="same_data_offset_accuracy",
    ),
    "same_data_offset": Column("best fixed offset on all documents", "words", signed=True),
    "same_data_offset_accuracy": Column("right by it", SHARE),
}
BESIDE = {
    "twin": Column("right by the best heads of random twins, mean", SHARE),
    "twin_high": Column("the same, highest", SHARE),
    "special_bearing": Column("attention to special tokens from words that bear the relation", SHARE),
    "special_others": Column("the same from other words", SHARE),
    "coverage": Column("share of the pairs that the model can see", SHARE),
    "p": Column("p: is the head right more often than every offset?"),
    "p_holm": Column("p, for all relations"),
    "found": Column("more than chance: p_holm below 0.05, and no random twin as good"),
}

TABLES: dict[str, Declaration] = {
    "relations": Declaration(
        "The best head of each relation",
        ("relation",),
        {**CHOSEN, **SAME_DATA, **BESIDE},
        card=Card(
            ("head", "other_head"),
            "{relation}",
            "{accuracy} right, a fixed offset {offset_accuracy}",
            "found",
        ),
    ),
    "readings": Declaration(
        "The best head of each relation, in each reading",
        ("relation", "reading"),
        {**CHOSEN, **SAME_DATA, **BESIDE},
    ),
    "attachment": Declaration(
        "How many heads of words each head finds",
        ("head",),
        {
            **HEAD,
            **{
                reading: Column(
                    f"right, read {reading}",
                    SHARE,
                    low=f"{reading} low",
                    high=f"{reading} high",
                    better="higher",
                )
                for reading in READINGS
            },
            **{f"{reading} low": LOW for reading in READINGS},
            **{f"{reading} high": HIGH for reading in READINGS},
        },
        group="head of any word found",
    ),
    "head_relations": Declaration(
        "Every head on every relation, on all documents",
        ("head", "relation", "reading"),
        {
            "head": HEAD["head"],
            "relation": CHOSEN["relation"],
            "reading": Column("reading"),
            "accuracy": Column("right", SHARE, baseline="offset_accuracy", better="higher"),
            "offset_accuracy": Column("right by the best fixed offset", SHARE),
            "count": Column("cases", kind="note"),
        },
        group="relation found",
    ),
    "published": Declaration(
        "Best head chosen and scored on the same words, beside Clark et al. 2019, table 1 (BERT-base, WSJ)",
        ("relation",),
        {
            "relation": Column("relation, as the paper calls it"),
            "ours": Column("the relation of these trees that is meant"),
            "words": CHOSEN["words"],
            "head": SAME_DATA["same_data_head"],
            "accuracy": Column("right, on the words that chose it", "%"),
            "published": Column("published", "%"),
            "offset": Column("right by the best fixed offset", "%"),
            "published_offset": Column("published of the offset", "%"),
        },
    ),
    "known_relations": says_known("relation", "right, where it was not chosen", SHARE),
    "relations_summary": Declaration(
        "How many relations heads know",
        (),
        {
            "relations": Column("relations of enough words"),
            "tested": Column("relations that were tested"),
            "found": Column("relations for which a head was found"),
        },
    ),
}

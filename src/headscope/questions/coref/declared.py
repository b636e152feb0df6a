"""What the tables of coref say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Card, Column, Declaration
from headscope.results.known import says_known

LOW, HIGH = Column("lower end of its 95 % interval", SHARE), Column("upper end of its 95 % interval", SHARE)
TYPE = Column("type of mention")
MENTIONS = Column("mentions that count", kind="note")
NEAREST = Column("right by the nearest mention", SHARE)
RULES = {
    "nearest": NEAREST,
    "head_match": Column("right by the nearest mention with the same head word", SHARE),
    "head_match_or_nearest": Column("right by the same, or else the nearest mention", SHARE),
    "sieves": Column("right by four rules, one after the other", SHARE),
}
TESTS = {
    "above_nearest": Column("how far the head is above the nearest mention", POINTS),
    "p_nearest": Column("p: is it? for all types"),
    "above_head_match": Column("how far the head is above the same head word", POINTS),
    "p_head_match": Column("p: is it? for all types"),
    "found": Column("more than chance: p_nearest below 0.05, and no random twin as good"),
}
PAPER = {
    "paper_nearest": Column("nearest mention in Clark et al. 2019, table 2", SHARE),
    "paper_head_match": Column("same head word there", SHARE),
    "paper_sieves": Column("four rules there", SHARE),
    "paper_head": Column("best head of BERT-base there", SHARE),
}

TABLES: dict[str, Declaration] = {
    "coref_types": Declaration(
        "How often the best head finds an antecedent",
        ("type",),
        {
            "type": TYPE,
            "mentions": MENTIONS,
            "accuracy": Column(
                "right, where it was not chosen",
                SHARE,
                low="low",
                high="high",
                baseline="nearest",
                better="higher",
            ),
            "low": LOW,
            "high": HIGH,
            "chosen": Column("best head, scored on the first half of the documents"),
            "other_chosen": Column("best head, scored on the second half"),
            "head": Column("best head on all documents"),
            "same_data": Column("right on the documents that chose it, as papers print it", SHARE),
            "twin": Column("right by the best heads of random twins, mean", SHARE),
            "twin_high": Column("the same, highest", SHARE),
            **RULES,
            **TESTS,
            **PAPER,
        },
        card=Card(
            ("chosen", "other_chosen"),
            "antecedents of {type} mentions",
            "{accuracy} right, the nearest mention {nearest}",
            "found",
        ),
    ),
    "coref_baselines": Declaration(
        "How often simple rules find an antecedent",
        ("type", "baseline"),
        {
            "type": TYPE,
            "baseline": Column("rule"),
            "mentions": MENTIONS,
            "accuracy": Column("right", SHARE, low="low", high="high", better="higher"),
            "low": LOW,
            "high": HIGH,
            "paper": Column("in Clark et al. 2019, table 2", SHARE),
        },
    ),
    "coref_heads": Declaration(
        "How often each head finds an antecedent, on all documents",
        ("head", "type"),
        {
            **HEAD,
            "type": TYPE,
            "accuracy": Column("right", SHARE, baseline="nearest", better="higher"),
            "nearest": NEAREST,
        },
        group="antecedent found",
    ),
    "known_mentions": says_known(
        "mentions whose antecedents it finds", "right, where it was not chosen", SHARE
    ),
}

"""What the tables of probe say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Column, Declaration

PROBE = Column("probe")
MEASURES = {
    "uas": Column("words whose head is right", SHARE, better="higher"),
    "uuas": Column("edges found, in either direction", SHARE, better="higher"),
    "uas_tree": Column("words whose head is right in the best tree", SHARE, better="higher"),
    "uuas_tree": Column("edges of the best tree, in either direction", SHARE, better="higher"),
}

TABLES: dict[str, Declaration] = {
    "probes": Declaration(
        "Every probe, by seed or random twin",
        ("probe", "seed"),
        {
            "probe": PROBE,
            "seed": Column("seed, of a twin that which drew it", kind="note"),
            **MEASURES,
            "loss": Column("loss of a word where it was decided when to stop", "nats", better="lower"),
        },
    ),
    "probe_summary": Declaration(
        "How much of the trees each probe finds",
        ("probe", "measure"),
        {
            "probe": PROBE,
            "measure": Column("measure"),
            "mean": Column(
                "mean over seeds or twins",
                SHARE,
                low="low",
                high="high",
                baseline="beside_mean",
                better="higher",
            ),
            "spread": Column("standard deviation over seeds or twins", POINTS),
            "low": Column("lower end of the mean's 95 % interval, over documents", SHARE),
            "high": Column("upper end of it", SHARE),
            "runs": Column("seeds or twins", kind="note"),
            "beside": Column("what it is held against"),
            "beside_mean": Column("the mean of that", SHARE),
            "above": Column("how far it is above that", POINTS, low="above_low", high="above_high"),
            "above_low": Column("lower end of its 95 % interval, over documents", POINTS),
            "above_high": Column("upper end of it", POINTS),
            "sure": Column("whether it is above beyond documents, seeds and random twins"),
            "published": Column("in Clark et al. 2019, table 3", SHARE),
        },
    ),
    "probe_heads": Declaration(
        "What each probe loses without a head",
        ("probe", "head"),
        {
            "probe": PROBE,
            **HEAD,
            "one_based": Column("layer and head counted from 1, as papers print them"),
            "drop": Column("UAS that is lost", POINTS, low="low", high="high"),
            "low": Column("lower end of its 95 % interval, of this head alone", POINTS),
            "high": Column("upper end of it", POINTS),
            "sure": Column("whether the interval for all heads of the probe at once is above 0"),
        },
        group="lost without the head",
    ),
    "probe_control": Declaration(
        "Against learning by heart",
        ("probe",),
        {
            "probe": PROBE,
            "uas": Column("words whose head is right", SHARE, baseline="control"),
            "control": Column("words right in the control task, learned by heart", SHARE),
            "selectivity": Column("the difference", POINTS, low="low", high="high"),
            "spread": Column("its standard deviation over seeds", POINTS),
            "low": Column("lower end of its 95 % interval, over documents", POINTS),
            "high": Column("upper end of it", POINTS),
        },
    ),
}

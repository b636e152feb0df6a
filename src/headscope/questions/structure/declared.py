"""What the tables of structure say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, SHARE, Column, Declaration
from headscope.results.vocabulary import ARC_STANDARD, FALSE_TREES, MATCHED, SWAPPED, UNIFORM

NATS = "nats"
LOW, HIGH = Column("lower end of its 95 % interval", NATS), Column("upper end of its 95 % interval", NATS)
TARGET = Column(
    "what each word should look at: parent, children, words by distance, or what the file says (own)"
)
TREE = Column("kind of tree")
SAYS = {
    ARC_STANDARD: "trees of a parser that acts at random",
    UNIFORM: "trees drawn evenly from all",
    MATCHED: "random trees with the directions and lengths of true arcs",
    SWAPPED: "true trees of other sentences of equal length",
}
EVEN = Column("the same of even attention over the words that can be seen", NATS)
ALL = {
    "kl_all": Column("the same over all words, what cannot be seen counting 0", NATS, baseline="even_all"),
    "even_all": EVEN,
}
COVERAGE = Column("share of the targets that can be seen", SHARE, kind="note")

TABLES: dict[str, Declaration] = {
    "structure": Declaration(
        "How close each head comes to true trees",
        ("head", "target"),
        {
            **HEAD,
            "target": TARGET,
            "kl": Column(
                "KL(target || attention) over words whose target can be seen",
                NATS,
                low="low",
                high="high",
                baseline="even",
                better="lower",
            ),
            "low": LOW,
            "high": HIGH,
            "even": EVEN,
            **{tree: Column(f"the same from {SAYS[tree]}", NATS, kind="note") for tree in FALSE_TREES},
            "coverage": COVERAGE,
            **ALL,
            "kl_sentences": Column(
                "kl_all as a mean over sentences", NATS, baseline="even_sentences", kind="note"
            ),
            "even_sentences": EVEN,
            "weight": Column("weight on the target", SHARE, baseline="even_weight", better="higher"),
            "even_weight": Column("the same of even attention", SHARE),
            "rank": Column(
                "rank of the target among words that can be seen", baseline="even_rank", better="lower"
            ),
            "even_rank": Column("the same of even attention"),
            "twin": Column("kl of the same head of random twins, mean", NATS, kind="note"),
            "found": Column(
                "closer to true trees than to all kinds of false ones, and than random twins are"
            ),
        },
        group="close to trees",
    ),
    "structure_tests": Declaration(
        "True trees against false ones in the same sentences",
        ("head", "target", "tree"),
        {
            **HEAD,
            "target": TARGET,
            "tree": Column("kind of false tree"),
            "true": Column("KL from true trees, less that of even attention", NATS, kind="note"),
            "false": Column("KL from false trees, less that of even attention", NATS, kind="note"),
            "difference": Column("true less false", NATS, low="low", high="high", better="lower"),
            "low": LOW,
            "high": HIGH,
            "all_low": Column("lower end of the interval for all heads at once", NATS, kind="note"),
            "all_high": Column("upper end of the interval for all heads at once", NATS, kind="note"),
            "closer": Column("closer to true trees: the interval for all heads at once is below 0"),
        },
    ),
    "structure_best": Declaration(
        "The head that is farthest below even attention",
        ("target",),
        {
            "target": TARGET,
            "head": Column("best head, scored on the first half of the documents"),
            "other_head": Column("best head, scored on the second half"),
            "gain": Column(
                "below even attention, where it was not chosen", NATS, low="low", high="high", better="higher"
            ),
            "low": LOW,
            "high": HIGH,
            "same_data_head": Column("best head on all documents"),
            "same_data_gain": Column("below even attention on the documents that chose it", NATS),
            "twin": Column("the same of the best heads of random twins, mean", NATS),
            "twin_high": Column("the same, highest", NATS),
        },
    ),
    "structure_layers": Declaration(
        "How close each layer comes to trees, mean over its heads",
        ("stack", "layer", "target", "tree"),
        {
            "stack": HEAD["stack"],
            "layer": HEAD["layer"],
            "target": TARGET,
            "tree": TREE,
            "kl": Column("KL(target || attention)", NATS, baseline="even", better="lower"),
            "even": EVEN,
            "coverage": COVERAGE,
            **ALL,
            "kl_sentences": Column("kl_all as a mean over sentences", NATS),
        },
    ),
    "structure_trees": Declaration(
        "True and false trees",
        ("tree",),
        {
            "tree": TREE,
            "sentences": Column("sentences of two words or more that have one"),
            "left_out": Column("sentences that have none: too short, or alone with their length"),
            "words": Column("words that depend on another"),
            "parent_before": Column("words whose parent comes before them", SHARE),
            "arc_length": Column("distance of word and parent, mean", "words"),
        },
    ),
    "structure_reception": Declaration(
        "How concentrated heads are on few words",
        ("head",),
        {
            **HEAD,
            "on_words": Column("attention that goes to words and not to special tokens", SHARE),
            "most": Column("share of the word that receives most", SHARE, baseline="even_most"),
            "even_most": Column("the same of even attention", SHARE),
            "frequency": Column("correlation of what words receive with the logarithm of their frequency"),
            "tf_idf": Column("correlation of what words receive with their TF-IDF in the sentence"),
        },
        group="what words receive",
    ),
    "structure_curves": Declaration(
        "How close checkpoints come to trees, mean over heads",
        ("series", "checkpoint", "stack", "target", "tree"),
        {
            "series": Column("run that the checkpoint is of, where there are several"),
            "checkpoint": Column("checkpoint"),
            "step": Column("its place in the series, from 0"),
            "stack": HEAD["stack"],
            "target": TARGET,
            "tree": TREE,
            "kl": Column(
                "KL(target || attention)", NATS, low="low", high="high", baseline="even", better="lower"
            ),
            "even": EVEN,
            "coverage": COVERAGE,
            "kl_all": Column(
                "the same over all words, what cannot be seen counting 0",
                NATS,
                low="all_low",
                high="all_high",
                baseline="even_all",
            ),
            "even_all": EVEN,
            "kl_sentences": Column("kl_all as a mean over sentences", NATS),
            "low": LOW,
            "high": HIGH,
            "all_low": LOW,
            "all_high": HIGH,
        },
    ),
    "structure_onsets": Declaration(
        "Since when heads are closer to true trees than to those of other sentences",
        ("series", "head", "target"),
        {
            **HEAD,
            "series": Column("run that the checkpoints are of, where there are several"),
            "target": TARGET,
            "checkpoint": Column("first checkpoint from which it is closer for good"),
            "step": Column("its place in the series, from 0", kind="note"),
            "order": Column("place of the head in the order of onsets"),
            "closer": Column("checkpoints at which it is closer", kind="note"),
            "checkpoints": Column("checkpoints of the series", kind="note"),
        },
    ),
    "structure_summary": Declaration(
        "How many heads follow trees",
        ("target",),
        {
            "target": TARGET,
            "heads": Column("heads"),
            "tested": Column("heads that could be tested"),
            "below_even": Column("heads closer to true trees than even attention is"),
            **{
                f"closer_{tree}": Column(f"heads closer to true trees than to {SAYS[tree]}")
                for tree in FALSE_TREES
            },
            "found": Column("heads closer to true trees than to all four, and than random twins are"),
        },
    ),
}

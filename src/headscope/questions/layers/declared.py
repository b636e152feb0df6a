"""What the tables of layers say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Column, Declaration

TASK = Column("task")
LAYER = Column("layer whose states are read, 0 for the embeddings", kind="note")
SCORE = "F1 of the labels that count; the share that is right, where all do"
LOW, HIGH = "lower end of its 95 % interval, over documents and seeds", "upper end of it"


def _ends(unit: str, before: str = "") -> dict[str, Column]:
    return {f"{before}low": Column(LOW, unit), f"{before}high": Column(HIGH, unit)}


_LAYERS = Declaration(
    "What probes of the layers up to each one find",
    ("task", "layer"),
    {
        "task": TASK,
        "layer": LAYER,
        "score": Column(f"{SCORE}, from layers up to this one", SHARE, "low", "high", better="higher"),
        **_ends(SHARE),
        "spread": Column("standard deviation over seeds", POINTS),
        "gain": Column("what this layer adds to those below", POINTS, "gain_low", "gain_high"),
        **_ends(POINTS, "gain_"),
        "weight": Column("weight of the layer in the mix of all", SHARE),
        "weight_spread": Column("its standard deviation over seeds", POINTS),
        "twin": Column("score of random twins, from layers up to this one", SHARE),
    },
)
_TASKS = Declaration(
    "At which layer each task is solved",
    ("task",),
    {
        "task": TASK,
        "labels": Column("different labels in what is trained on", kind="note"),
        "score": Column(f"{SCORE}, from all layers", SHARE, "score_low", "score_high", better="higher"),
        **_ends(SHARE, "score_"),
        "best_layer": Column("layer up to which the score is highest"),
        "gained": Column("what all layers add to the embeddings", POINTS, "gained_low", "gained_high"),
        **_ends(POINTS, "gained_"),
        "expected": Column("expected layer: mean of the layers by what each adds", low="low", high="high"),
        **_ends(""),
        "spread": Column("its standard deviation over seeds"),
        "clipped": Column("the same where layers that add less than nothing count as none"),
        "why": Column("why there is no expected layer"),
        "gravity": Column("center of gravity: mean of the layers by their weight in the mix"),
        "gravity_spread": Column("its standard deviation over seeds"),
        "bits": Column("how far the weights are from even ones", "bits"),
        "seeds": Column("trainings", kind="note"),
    },
)
_BASELINES = Declaration(
    "All layers, beside what needs none of them or only learns by heart",
    ("task", "beside"),
    {
        "task": TASK,
        "beside": Column("what the probe of all layers is held against"),
        "score": Column(SCORE, SHARE, baseline="beside_score", better="higher"),
        "beside_score": Column("the same of that", SHARE),
        "above": Column("the difference; of the control task, selectivity", POINTS, "low", "high"),
        **_ends(POINTS),
        "sure": Column("whether the interval is above 0, also where it is widened for all tasks together"),
    },
)
_SEEDS = Declaration(
    "Each seed",
    ("task", "seed"),
    {
        "task": TASK,
        "seed": Column("seed", kind="note"),
        "score": Column(f"{SCORE}, from all layers", SHARE, better="higher"),
        "expected": Column("expected layer"),
        "clipped": Column("the same without what is below nothing"),
        "gravity": Column("center of gravity of the weights"),
        "bits": Column("how far the weights are from even ones", "bits"),
    },
)
_CODES = Declaration(
    "What the labels cost, sent to who has the states of the layers up to each one",
    ("task", "layer"),
    {
        "task": TASK,
        "layer": LAYER,
        "targets": Column("targets that are sent", kind="note"),
        "uniform": Column("length of a code that knows nothing, n log2 K", "kbit"),
        "code": Column("length of the online code", "kbit", baseline="uniform", better="lower"),
        "compression": Column("the one over the other", "times", better="higher"),
        "bits_each": Column("bits for each label", "bits", better="lower"),
        "summed": Column("what the published code adds up: bits and nats"),
        "summed_compression": Column("compression as it would print it"),
    },
)
_CASES = Declaration(
    "Single targets, layer by layer, those first on which layers disagree",
    ("task", "case", "layer", "label"),
    {
        "task": TASK,
        "case": Column("case, the most telling first", kind="note"),
        "layer": LAYER,
        "label": Column("label"),
        "probability": Column("that the probe of layers up to this one gives it", SHARE),
        "true": Column("whether it is the true label"),
        "said": Column("whether the probe says it"),
        "text": Column("the words, with the first span in [ ] and the second in { }"),
    },
)
_HEADS = Declaration(
    "What the layer of each head adds",
    ("task", "head"),
    {
        "task": TASK,
        **HEAD,
        "gain": Column("what the head's layer adds to those below", POINTS, "gain_low", "gain_high"),
        **_ends(POINTS, "gain_"),
        "weight": Column("weight of the states behind the head's layer in the mix of all", SHARE),
    },
    group="known in the layer",
)
_TARGETS = Declaration(
    "What was read and what is used",
    ("task", "split"),
    {
        "task": TASK,
        "split": Column("split"),
        "use": Column("what it is for"),
        "read": Column("targets that were read; of coreference, mentions", kind="note"),
        "cut": Column(
            "of these skipped, across the border of a segment or in one that is too long", kind="note"
        ),
        "pieceless": Column("of these skipped, as a word has no piece", kind="note"),
        "used": Column("targets that are used", kind="note"),
    },
)
_PUBLISHED = Declaration(
    "Beside what was published",
    ("task", "measure", "source", "about"),
    {
        "task": TASK,
        "measure": Column("measure"),
        "source": Column("where it was published"),
        "about": Column("model and data"),
        "value": Column("published"),
        "ours": Column("here, of all layers"),
    },
)

TABLES: dict[str, Declaration] = {
    "layer_tasks": _TASKS,
    "layer_scores": _LAYERS,
    "layer_baselines": _BASELINES,
    "layer_codes": _CODES,
    "layer_cases": _CASES,
    "layer_seeds": _SEEDS,
    "layer_heads": _HEADS,
    "layer_targets": _TARGETS,
    "layer_published": _PUBLISHED,
}

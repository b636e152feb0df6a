"""What the tables of adversary say about themselves."""

from __future__ import annotations

from headscope.questions.adversary.kinds import CONTROLS, MEASURES, OWN, SPREAD
from headscope.results.declaration import POINTS, SHARE, Column, Declaration
from headscope.results.vocabulary import ANSWERS

NATS = "nats"
KIND = Column("what a model is: base, adversary, other seed, control")
ATTENTION = Column(
    f"what it looks with: {OWN}, or {', '.join(CONTROLS)}; of a model given with --against its name"
)
PENALTY = Column("penalty: what a nat of divergence is worth", kind="note")
SEED = Column("seed", kind="note")
MODELS = Column("models")
DIVERGED = Column("models whose loss was no longer a number")
MAPS = Column("whose maps: base, other seed, adversary, even, random; own are learned")
NET = Column("the net that they are given to")

MEASURED = {
    "score": Column("score on the data", SHARE, better="higher"),
    "f1": Column("F1 of the second label, where there are two", SHARE, better="higher"),
    "loss": Column("log loss of the labels", NATS, better="lower"),
    "variation": Column("total variation distance of answers from the base's, from 0 to 1", better="lower"),
    "half_variation": Column(
        "half of it, as Wiegreffe and Pinter 2019 print it for two labels", better="lower"
    ),
    "agreement": Column("share of answers that are the base's", SHARE, better="higher"),
    "jsd": Column("Jensen-Shannon divergence of attention from the base's, heads by their numbers", NATS),
    "jsd_matched": Column("the same, heads matched within their layer", NATS),
    "kl": Column("KL(own || base) of attention, heads by their numbers", NATS),
    "kl_matched": Column("the same, heads matched", NATS),
    "tau": Column("Kendall's tau-b of what the keys of a query get, heads matched, in 100 texts at most"),
    "top": Column("share of queries whose highest weight lies on the same key, heads matched", SHARE),
}
_PLAIN = {name: MEASURED[name] for name in MEASURES}


def _with_spread() -> dict[str, Column]:
    """Means, each followed by the lowest and highest of its models where these are told."""
    columns: dict[str, Column] = {}
    for name in MEASURES:
        known = MEASURED[name]
        if name not in SPREAD:
            columns[name] = Column(f"mean: {known.says}", known.unit, better=known.better)
            continue
        ends = f"{name}_lowest", f"{name}_highest"
        columns[name] = Column(f"mean: {known.says}", known.unit, *ends, better=known.better)
        columns |= {end: Column(f"{end.rpartition('_')[2]} of the models", known.unit) for end in ends}
    return columns | {"deviation": Column("standard deviation of scores over models", SHARE)}


_SPREAD = _with_spread()
_GIVEN = {
    name: _SPREAD[name] for name in ("score", "score_lowest", "score_highest", "f1", "loss", "deviation")
}
SCORE = {"score": MEASURED["score"], "f1": MEASURED["f1"], "loss": MEASURED["loss"]}

TABLES: dict[str, Declaration] = {
    "verdict": Declaration(
        "How far attention can move at which cost, and whether maps are worth anything",
        ("claim", "net"),
        {
            "claim": Column("claim"),
            "net": NET,
            "verdict": Column("whether it holds", kind="category", levels=ANSWERS),
            "number": Column("what is measured"),
            "value": Column("its value, where it is a score", POINTS, low="low", high="high"),
            "low": Column("lower end of its interval over models, corrected for what was tried", POINTS),
            "high": Column("upper end of it", POINTS),
            "bound": Column("what it is held to", POINTS),
            "correlation": Column("its value, where it is a correlation"),
            "against": Column("what it is held against"),
            "penalty": PENALTY,
            "jsd": Column("divergence of attention at that penalty, heads matched", NATS),
            "jsd_of_seeds": Column("the same of models that nothing drove away", NATS),
            "ordinary": Column("what these models are"),
            "agreement": Column("agreement with the model at that penalty, less that of penalty 0", POINTS),
            "p": Column("how often chance alone gives as much"),
            "models": MODELS,
        },
    ),
    "curve": Declaration(
        "How far attention is from the model's, and what it costs",
        ("kind", "attention", "penalty"),
        {"kind": KIND, "attention": ATTENTION, "penalty": PENALTY, "models": MODELS, "diverged": DIVERGED}
        | _SPREAD,
    ),
    "frozen": Declaration(
        "What maps are worth to a fresh net",
        ("net", "maps", "penalty"),
        {"net": NET, "maps": MAPS, "penalty": PENALTY, "models": MODELS, "diverged": DIVERGED} | _GIVEN,
    ),
    "collapse": Declaration(
        "The best single step of the score of adversaries",
        ("along",),
        {
            "along": Column("what scores are followed along"),
            "models": MODELS,
            "place": Column("where the best single step is", low="low", high="high"),
            "low": Column("lower end of its 95 % interval, models drawn again"),
            "high": Column("upper end of it"),
            "before": Column("mean score before it", SHARE),
            "behind": Column("mean score behind it", SHARE),
            "gain": Column("by how much the BIC of a step is below that of a straight line"),
        },
    ),
    "regimes": Declaration(
        "Whether models of one penalty part into two groups",
        ("penalty",),
        {
            "penalty": PENALTY,
            "models": MODELS,
            "lower_models": Column("models of the lower group"),
            "lower": Column("mean score of the lower group", SHARE),
            "higher": Column("mean score of the higher group", SHARE),
            "gap": Column("between the highest of the lower and the lowest of the higher group", SHARE),
            "lower_jsd": Column("divergence of the lower group, heads matched", NATS),
            "higher_jsd": Column("divergence of the higher group, heads matched", NATS),
            "share": Column("share of the sum of squares that lies between both", SHARE),
            "p": Column("how often models of one normal distribution part as well"),
        },
    ),
    "instances": Declaration(
        "Adversaries to single answers, with the model's weights as they are",
        ("scope",),
        {
            "scope": Column("whose attention is moved"),
            "answers": Column("answers"),
            "found": Column("share of answers with an adversary that answers alike", SHARE),
            "jsd": Column("mean divergence of the furthest of them, in the rows that decide", NATS),
            "median": Column("median of it", NATS),
            "variation": Column("mean total variation distance of their answers"),
        },
    ),
    "beside": Declaration(
        "Curves of other runs",
        ("run", "kind", "attention", "penalty"),
        {"run": Column("name of the run"), "kind": KIND, "attention": ATTENTION, "penalty": PENALTY}
        | {"models": MODELS}
        | {name: _SPREAD[name] for name in ("score", "variation", "jsd_matched")}
        | {
            f"{name}_{end}": _SPREAD[f"{name}_{end}"]
            for name in ("score", "variation", "jsd_matched")
            for end in ("lowest", "highest")
        },
    ),
    "runs": Declaration(
        "Every model beside the one on trial",
        ("kind", "attention", "penalty", "seed"),
        {
            "kind": KIND,
            "attention": ATTENTION,
            "penalty": PENALTY,
            "seed": SEED,
            "diverged": Column("whether its loss was no longer a number", kind="note"),
            "metric": Column("metric"),
        }
        | _PLAIN,
    ),
    "frozen_runs": Declaration(
        "Every net that was given maps",
        ("net", "maps", "penalty", "seed"),
        {
            "net": NET,
            "maps": MAPS,
            "penalty": PENALTY,
            "seed": SEED,
            "diverged": Column("whether its loss was no longer a number", kind="note"),
        }
        | SCORE,
    ),
}

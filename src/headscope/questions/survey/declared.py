"""What the tables of a survey say about themselves."""

from __future__ import annotations

from dataclasses import replace

from headscope.results.declaration import HEAD, SHARE, Column, Declaration
from headscope.results.vocabulary import ROLES

SHARES = {
    "share": Column("share of attention", SHARE, error="se", baseline="uniform"),
    "se": Column("its standard error, over documents", SHARE),
    "uniform": Column("share that even attention gives", SHARE),
}
BEHIND = {
    "behind": Column(
        "share of what is not on the first token", SHARE, error="behind_se", baseline="behind_uniform"
    ),
    "behind_se": Column("its standard error, over documents", SHARE),
    "behind_uniform": Column("share that even attention gives there", SHARE),
}
# Beside each share on tables, but no measures of their own on a page, which would have each of them twice.
BESIDE = {name: replace(column, kind="note") for name, column in BEHIND.items()}
ROLE = {
    "role": Column("role", kind="category", levels=ROLES),
    "role_score": Column("score of the role", SHARE, baseline="role_uniform"),
    "role_uniform": Column("score that even attention gets, or chance", SHARE),
    "role_rule": Column("rule that gave the role"),
    "name": Column("what the head was found to know"),
}
# The table `shares` has these again, with standard errors.
TARGETS = {
    "self": Column("attention to the token itself", SHARE, kind="note"),
    "previous": Column("attention to the previous token", SHARE, kind="note"),
    "next": Column("attention to the next token", SHARE, kind="note"),
    "first": Column("attention to the first token", SHARE, kind="note"),
}
BREADTH = {
    "first_is_sink": Column(
        "its first token is a sink: over 30 % of its attention, and twice what even attention gives"
    ),
    "entropy": Column("entropy", "nats", error="entropy_se", baseline="entropy_uniform"),
    "entropy_se": Column("its standard error, over documents", "nats"),
    "entropy_uniform": Column("entropy of even attention", "nats"),
    "entropy_edge": Column("entropy at the edge of the text", "nats"),
    "strongest": Column("largest weight of a token", SHARE),
}
PLACE = {
    "cluster": Column("cluster of heads that are alike", kind="category"),
    "x": Column("place on the map of heads, across"),
    "y": Column("place on the map of heads, up"),
}

OTHERWISE = {
    "otherwise": Column("role where the first token does not count", kind="category", levels=("", *ROLES)),
    "otherwise_score": Column("score of that role", SHARE, baseline="otherwise_uniform"),
    "otherwise_uniform": Column("score that even attention gets there, or chance", SHARE),
    "otherwise_rule": Column("rule that gave that role"),
}
# The table `patterns` has these again, with standard errors and behind the first token.
CAUSAL = {
    "copying": Column("direct effect on what it looks at: raised (1) or lowered (-1)", error="copying_se"),
    "copying_se": Column("its standard error, over made texts"),
    "copying_chance": Column("how far from 0 it is by chance: with its values turned at random"),
    "first_taken": Column(
        "share of the first token, by the length of what is taken",
        SHARE,
        error="first_taken_se",
        baseline="first_taken_uniform",
    ),
    "first_taken_se": Column("its standard error, over documents", SHARE),
    "first_taken_uniform": Column("share that even attention gives it, by length", SHARE),
    "induction": Column("made text: attention to what followed the same token", SHARE, kind="note"),
    "duplicate": Column("made text: attention to the same token before", SHARE, kind="note"),
    "previous_in_copies": Column("made text: attention to the previous token", SHARE, kind="note"),
    "sink": Column("attention of the first 64 tokens to the first one", SHARE, kind="note"),
    "outside": Column("attention between the first 4 and the last 64 tokens", SHARE, kind="note"),
}
PATTERNS = {
    "induction": "what followed the same token",
    "duplicate": "the same token before",
    "previous": "the previous token",
    "sink": "the first token, from the first 64",
    "outside": "between the first 4 and the last 64 tokens",
    "self": "the token itself",
    "near": "the three tokens before",
}
CHECKPOINT = {
    "series": Column("series of checkpoints, such as a seed; empty where there is one alone"),
    "checkpoint": Column("checkpoint", ordered=True),
    "step": Column("place of the checkpoint in its series, from 0"),
}
COUNTED = {
    "role": Column("role", kind="category", levels=ROLES),
    "heads": Column("heads that have it"),
    "share": Column("their share of all heads", SHARE),
    "best": Column("the head that has it most clearly"),
    "score": Column("score of that head", SHARE, baseline="uniform"),
    "uniform": Column("score that even attention gets, or chance", SHARE),
    "rule": Column("rule that gives the role"),
}

TABLES: dict[str, Declaration] = {
    "heads": Declaration(
        "Every head: its role and its main numbers",
        ("head",),
        {
            **HEAD,
            "one_based": Column("layer and head counted from 1, as papers print them"),
            **ROLE,
            **TARGETS,
            **BREADTH,
            **OTHERWISE,
            **CAUSAL,
            **PLACE,
        },
        rest=Column("attention to {name}", SHARE, kind="note"),
        role=("role", "role_rule"),
        otherwise=("otherwise", "otherwise_rule"),
        places=("x", "y"),
    ),
    "shares": Declaration(
        "Where attention goes",
        ("head", "target"),
        {"head": HEAD["head"], "target": Column("what is looked at"), **SHARES, **BESIDE},
        group="attention to",
    ),
    "offsets": Declaration(
        "Attention by distance",
        ("head", "distance"),
        {
            "head": HEAD["head"],
            "distance": Column("distance in pieces, ahead if positive", signed=True),
            **SHARES,
            **BESIDE,
        },
        group="attention at distance",
        profile=True,
    ),
    "special": Declaration(
        "Attention to special tokens, by where it comes from",
        ("head", "kind", "origin"),
        {
            "head": HEAD["head"],
            "kind": Column("special token"),
            "origin": Column("who looks", words={"itself": "from themselves", "other": "from other tokens"}),
            **SHARES,
        },
        group="attention to special tokens",
    ),
    "gradients": Declaration(
        "How much the model's loss depends on attention",
        ("head", "key"),
        {
            "head": HEAD["head"],
            "key": Column("kind of token that is looked at"),
            "gradient": Column("mean size of the gradient for a weight", "nats", error="se"),
            "se": Column("its standard error, over documents", "nats"),
        },
        group="gradient for attention to",
    ),
    "counts": Declaration(
        "How many heads look at what more than half of the time",
        ("attention to",),
        {
            "attention to": Column("what is looked at"),
            "heads over 50 %": Column("heads that give it more than half of their attention"),
            "in layers": Column("how many in each layer: 0 x9 are nine in layer 0"),
        },
    ),
    "roles": Declaration("What the heads do", ("role",), COUNTED),
    "behind": Declaration(
        "What heads that rest on the first token do otherwise",
        ("role",),
        {**COUNTED, "share": Column("their share of the heads that rest there", SHARE)},
    ),
    "patterns": Declaration(
        "What heads do with text that repeats itself, and behind the first token",
        ("head", "text", "pattern"),
        {
            "head": HEAD["head"],
            "text": Column("text", words={"made": "made text", "running": "the text itself"}),
            "pattern": Column("what is looked at", words=PATTERNS),
            **SHARES,
            **BEHIND,
        },
        group="attention by pattern",
    ),
    "induction": Declaration(
        "Heads that look at what followed the same token before, on made text",
        ("head",),
        {
            "head": HEAD["head"],
            "role": Column("role", kind="note"),
            "otherwise": Column("role where the first token does not count", kind="note"),
            **{name: replace(column, kind="note") for name, column in {**SHARES, **BEHIND}.items()},
            "copying": Column("direct effect on what it looks at: 1 raised, -1 lowered", kind="note"),
        },
    ),
    "sinks": Declaration(
        "Heads that are sinks as Gu et al. 2024 count them",
        ("pieces",),
        {
            "pieces": Column("first tokens of a segment whose attention is averaged"),
            "above": Column("a sink gives more than this to the first of them", SHARE),
            "heads": Column("heads that are sinks"),
            "share": Column("their share of all heads", SHARE),
            "first": Column("mean weight of the first token in these heads", SHARE),
            "taken": Column("mean share of it by the length of what is taken", SHARE),
        },
    ),
    "series": Declaration(
        "What heads do at each checkpoint",
        ("series", "checkpoint", "head"),
        {
            **CHECKPOINT,
            "head": Column("head"),
            "role": Column("role", kind="category", levels=ROLES),
            "otherwise": Column(
                "role where the first token does not count", kind="category", levels=("", *ROLES)
            ),
            "previous_token": Column("attention to the previous token", SHARE),
            "first_token_sink": Column("attention to the first token", SHARE),
            "duplicate_token": Column("made text: attention to the same token before", SHARE),
            "induction": Column("made text: attention to what followed the same token", SHARE),
        },
    ),
    "onsets": Declaration(
        "Since when some head has a role",
        ("series", "role"),
        {
            "series": CHECKPOINT["series"],
            "role": Column("role", kind="category", levels=ROLES),
            "checkpoint": Column(
                "checkpoint from which on some head always has it; empty if the last has none"
            ),
            "step": CHECKPOINT["step"],
            "head": Column("head that has most of it at the last checkpoint"),
            "score": Column("score of that head there", SHARE, baseline="uniform"),
            "uniform": Column("score that even attention gets", SHARE),
            "order": Column("place among the onsets of the series, from 1"),
        },
    ),
    "divergences": Declaration(
        "How different each two heads are",
        ("first", "second"),
        {
            "first": Column("a head"),
            "second": Column("another one of its stack"),
            "divergence": Column("Jensen-Shannon divergence of their attention", "nats", error="error"),
            "error": Column(
                "its standard error from sampling rows; 0 if all are used, unknown with --rows", "nats"
            ),
        },
    ),
    "layers": Declaration(
        "Are heads of one layer alike?",
        ("stack",),
        {
            "stack": HEAD["stack"],
            "divergence within layers": Column("mean divergence of two heads of a layer", "nats"),
            "across layers": Column("mean divergence of two heads of different layers", "nats"),
            "p": Column("share of random layers that are as alike"),
            "map stress": Column("stress of the map of heads: 0 is a true picture"),
        },
    ),
}

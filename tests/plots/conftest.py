"""Results made by hand, of any number of stacks, layers and heads."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from headscope.results.result import Result

ROLES = [
    "previous token",
    "next token",
    "same token",
    "first-token sink",
    "separator",
    "punctuation",
    "broad",
    "local",
    "mixed",
]
TEXT = "[CLS] the quick brown fox jumps over the lazy dog , and then it sleeps all day . [SEP]"
TOKENS = TEXT.split()


def build_heads(
    stacks: dict[str, list[int]], special: list[str] | None = None, causal: bool = False, seed: int = 0
) -> xr.Dataset:
    """Heads of all stacks; `stacks` gives each one's number of heads per layer."""
    special = ["[CLS]", "[SEP]"] if special is None else special
    rows = [(s, k, i) for s, sizes in stacks.items() for k, n in enumerate(sizes) for i in range(n)]
    stack, layer, index = (np.array(column) for column in zip(*rows, strict=True))
    names = [f"{s}:L{k}H{i}" if len(stacks) > 1 else f"L{k}H{i}" for s, k, i in rows]
    random = np.random.default_rng(seed)
    count = len(rows)
    depth = layer / max(layer.max(), 1)
    targets = ["self", "previous", "next", "first", *special, ". or ,", "all punctuation"]
    share = random.beta(0.6, 6.0, (count, len(targets)))
    for place, name in enumerate(special):
        share[:, targets.index(name)] = random.beta(1.0 + 4 * depth if place else 5 - 4 * depth, 5.0)
    distances = np.arange(-8, 9)
    peak = random.integers(-3, 4, count)
    offset = np.exp(-0.5 * np.abs(distances - peak[:, None])) * random.uniform(0.05, 0.8, (count, 1))
    if causal:
        share[:, 2] = 0.0
        offset[:, distances > 0] = np.nan
    position = random.normal(size=(count, 2)) * 0.12 + np.stack([depth, np.sin(3 * depth)], axis=1) * 0.4
    gaps = position[:, None] - position[None]
    divergence = np.minimum(np.sqrt((gaps**2).sum(-1)), np.log(2))
    divergence[stack[:, None] != stack[None]] = np.nan
    keys = ["all", *special[1:], ". or ,"]
    kinds = {"kind": special, "origin": ["itself", "other"]}
    heads = xr.Dataset(
        {
            "share": (("head", "target"), share),
            "share_se": (("head", "target"), share * 0.02),
            "share_uniform": (("head", "target"), np.full(share.shape, 1 / 40)),
            "special": (("head", "kind", "origin"), random.beta(2, 3, (count, len(special), 2))),
            "offset": (("head", "distance"), offset),
            "offset_uniform": (("head", "distance"), np.full(offset.shape, 1 / 40)),
            "entropy": ("head", random.uniform(0.2, 3.8, count) * (1 - 0.4 * depth)),
            "entropy_se": ("head", np.full(count, 0.01)),
            "entropy_uniform": ("head", np.full(count, 4.0)),
            "entropy_edge": ("head", random.uniform(0.1, 3.9, count), {"edge": "first token"}),
            "strongest": ("head", random.uniform(0.1, 1, count)),
            "divergence": (("head", "other"), divergence),
            "position": (("head", "axis"), position),
            "cluster": ("head", random.integers(0, 5, count)),
            "gradient": (
                ("head", "key"),
                random.gamma(2, 0.4, (count, len(keys))) * np.arange(1, len(keys) + 1),
            ),
            "role": ("head", random.choice(ROLES, count)),
            "role_score": ("head", random.uniform(0.1, 1, count)),
        },
        coords={
            "head": names,
            "stack": ("head", stack),
            "layer": ("head", layer),
            "index": ("head", index),
            "other": names,
            "target": targets,
            "distance": distances,
            "key": keys,
            **(kinds if special else {"origin": kinds["origin"]}),
        },
        attrs={"special": json.dumps(special), "causal": int(causal)}
        | {f"stress_{s}": 0.123 for s in stacks},
    )
    return heads if special else heads.drop_vars("special")


def build_examples(tokens: list[str], count: int = 4, seed: int = 0) -> xr.Dataset:
    """Example maps: the previous token, the last token, itself, and everything a little."""
    size = len(tokens)
    maps = np.random.default_rng(seed).dirichlet(np.ones(size), (count, size))
    sharp = [np.eye(size, k=-1), np.eye(size)[np.full(size, size - 1)], np.eye(size)]
    for place, one in enumerate(sharp[:count]):
        maps[place] = 0.8 * one + 0.2 * maps[place]
    return xr.Dataset(
        {"weights": (("example", "query", "key"), maps / maps.sum(-1, keepdims=True))},
        coords={
            "token": ("query", tokens),
            "head": ("example", [f"L{place}H{place + 1}" for place in range(count)]),
            "role": ("example", ["previous token", "separator", "same token", "broad"][:count]),
        },
    )


@pytest.fixture
def survey() -> Callable[..., Result]:
    """Build a survey's result; by default one encoder of 6 layers with 12 heads."""

    def build(
        stacks: dict[str, list[int]] | None = None, tokens: list[str] | None = None, **options
    ) -> Result:
        heads = build_heads(stacks or {"encoder": [12] * 6}, **options)
        return Result("survey", arrays={"heads": heads, "examples": build_examples(tokens or TOKENS)})

    return build


@pytest.fixture
def compare() -> Callable[..., Result]:
    """Build a comparison of runs."""

    def build(heads: int = 72, measures: int = 4, pairs: int = 1, runs: int = 5) -> Result:
        random = np.random.default_rng(1)
        names = [f"L{place // 12}H{place % 12}" for place in range(heads)]
        measure = ["entropy", "attention to [SEP]", "attention to previous", "strongest weight"][:measures]
        difference = random.normal(size=(heads, measures, pairs)) * 0.1
        width = random.uniform(0.02, 0.15, difference.shape)
        dims = ("head", "measure", "pair")
        differences = xr.Dataset(
            {
                "difference": (dims, difference),
                "low": (dims, difference - width),
                "high": (dims, difference + width),
                "significant": (dims, np.abs(difference) > width),
            },
            coords={
                "head": names,
                "measure": measure,
                "pair": [f"run{p} → run{p + 1}" for p in range(pairs)],
            },
        )
        steps = np.cumsum(random.normal(size=(runs, 6, 1, measures)), axis=0) * 0.1 + 2
        curves = xr.Dataset(
            {"value": (("run", "layer", "stack", "measure"), steps)},
            coords={
                "run": [f"step-{1000 * place}" for place in range(runs)],
                "layer": np.arange(6),
                "stack": ["encoder"],
                "measure": measure,
            },
        )
        return Result("compare", arrays={"differences": differences, "curves": curves})

    return build


READINGS = ["dep->head", "head<-dep", "head->dep"]
SENTENCE = ["[CLS]", "she", "fed", "the", "cat", "[SEP]"]


def build_relations(names: list[str], random: np.random.Generator) -> pd.DataFrame:
    """The best heads of relations, the most frequent first; those at even places are found."""
    count = len(names)
    accuracy = np.round(random.uniform(0.3, 0.8, count), 3)
    return pd.DataFrame(
        {
            "relation": names,
            "words": np.arange(count, 0, -1) * 100,
            "head": ["L0H1 / L1H0" if place % 3 == 2 else "L1H0" for place in range(count)],
            "reading": "dep->head",
            "accuracy": accuracy,
            "low": accuracy - 0.05,
            "high": accuracy + 0.05,
            "offset_accuracy": 0.25,
            "same_data_head": "L1H0",
            "same_data_reading": "dep->head",
            "same_data_accuracy": accuracy + 0.04,
            "twin": 0.1,
            "found": [place % 2 == 0 and name != "all" for place, name in enumerate(names)],
        }
    )


def build_scores(stacks: dict[str, list[int]], names: list[str], random: np.random.Generator) -> xr.Dataset:
    """How often each head of a survey's stacks is right, for each relation and reading."""
    places = build_heads(stacks)[["stack", "layer", "index"]]
    dims = ("head", "relation", "reading")
    size = (places.sizes["head"], len(names), len(READINGS))
    offsets = np.full((2, *size[1:]), 0.25)
    return xr.Dataset(
        {
            "accuracy": (dims, random.uniform(0.0, 0.6, size)),
            "offset_accuracy": (("offset", *dims[1:]), offsets),
        },
        coords={**places.coords, "relation": names, "reading": READINGS, "offset": [-1, 1]},
    ).drop_vars(["other", "target", "distance", "key", "kind", "origin"], errors="ignore")


def build_sentences(labels: list[tuple[str, str, str]]) -> xr.Dataset:
    """A sentence for each relation, head and reading: 'cat' is asked, 'fed' is right; the last row is NaN."""
    size = len(SENTENCE) + 1
    weights = np.full((len(labels), size, size), np.nan)
    weights[:, :-1, :-1] = 0.1 / 5
    weights[:, :-1, -2] = 0.9
    weights[:, 4, :-1] = [0.1, 0.0, 0.8, 0.0, 0.0, 0.1]
    arc = np.full((len(labels), size), -1)
    arc[:, 4] = 2
    special = np.tile([True, False, False, False, False, True, False], (len(labels), 1))
    dims = ("example", "query")
    return xr.Dataset(
        {
            "weights": ((*dims, "key"), weights),
            "arc": (dims, arc),
            "special": (dims, special),
            "word": (dims, np.tile(np.array([*SENTENCE, ""], object), (len(labels), 1))),
        },
        coords={
            name: ("example", [label[place] for label in labels])
            for place, name in enumerate(("relation", "head", "reading"))
        },
    )


@pytest.fixture
def syntax() -> Callable[..., Result]:
    """Build a syntax's result; by default 7 relations and their sum for 2 layers of 3 heads."""

    def build(relations: int = 7, stacks: dict[str, list[int]] | None = None, sentences: int = 2) -> Result:
        random = np.random.default_rng(2)
        names = ["all", *(f"rel{place}" for place in range(1, relations + 1))]
        table = build_relations(names, random)
        published = pd.DataFrame(
            {"ours": ["rel1", "rel2"], "published": [90.0, 70.0], "differs": ["", "other words"]}
        )
        scores = build_scores(stacks or {"encoder": [3, 3]}, names, random)
        head = str(scores["head"].values[0])
        labels = [(name, head, "dep->head") for name in names[1:] for _ in range(sentences)]
        return Result(
            "syntax",
            {"relations": scores, "relation_examples": build_sentences(labels)},
            {"relations": table, "published": published},
        )

    return build

"""Results of survey made by hand, of any number of stacks, layers and heads."""

from __future__ import annotations

import json

import numpy as np
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


def build_survey(
    stacks: dict[str, list[int]] | None = None, tokens: list[str] | None = None, **options
) -> Result:
    """Build a survey's result; by default one encoder of 6 layers with 12 heads."""
    heads = build_heads(stacks or {"encoder": [12] * 6}, **options)
    return Result("survey", arrays={"heads": heads, "examples": build_examples(tokens or TOKENS)})

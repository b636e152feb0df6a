"""Heads of the small transformer, removed by BLEU: beside tables 1 and 2 of Michel et al. 2019."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

import headscope
from benchmarks.rows import Row, told
from benchmarks.timing import counted, seconds_of
from headscope.results.result import Result
from headscope.results.vocabulary import VERDICTS

KINDS = {"encoder": "Enc-Enc", "cross": "Enc-Dec", "decoder": "Dec-Dec"}
PUBLISHED = {
    "encoder": (-1.31, -0.16, 0.12, -0.15, 0.02, -0.36),
    "cross": (0.24, 0.06, 0.05, -0.24, -1.55, -13.56),
    "decoder": (-0.03, 0.12, 0.18, 0.17, -0.04, 0.24),
}
"""BLEU points of the best single head of each layer, WMT14 English to French, 6 layers of 16 heads."""

SIGNIFICANT = {"encoder": " (published 8 of 96, 4 for the better)"}
LEVEL = 0.01

AGREEMENT = 0.56
"""Correlation of the effects of single heads between news and texts of Reddit."""

ORDERS = {
    "importance": "by importance",
    "single-head effect": "by effects alone",
    "random": "at random",
}
CURVES: dict[str, Any] = {"remove": 0, "gate_steps": 0, "random": 5, "steps": 6, "speed": False}


def run(place: Path, model: Path, data: Mapping[str, str], limit: int | None = None) -> list[Row]:
    """Every head alone, all but one of each layer, on two test sets; then pruned by kind of attention."""
    asked: dict[str, Any] = {"metric": "bleu", "limit": limit, "batch_size": 64, "plots": True}
    with counted(place, "ablate"):
        result = headscope.ablate(
            model, data["test"], other=data["other"], train=data["dev"], train_limit=limit or 500,
            out=place / "ablate", **asked,
        )  # fmt: skip
    rows = ablation_rows(result)
    rows.append(told("ablation, processor time", seconds_of(place, "ablate") / 60, "min"))
    with counted(place, "prune"):
        for kind in KINDS:
            pruned = headscope.prune(
                model, data["test"], train=data["dev"], stack=kind, out=place / f"prune-{kind}",
                **asked | CURVES | {"limit": limit or 200, "train_limit": 200},
            )  # fmt: skip
            rows += pruning_rows(kind, pruned)
    return [*rows, told("pruning by kind, processor time", seconds_of(place, "prune") / 60, "min")]


def ablation_rows(result: Result) -> list[Row]:
    """Every head alone, all but one by layer, and agreement, each beside what was published."""
    heads, layers = result.table("ablation"), result.table("ablation_layers")
    rows = []
    for stack, kind in KINDS.items():
        own, alone = (table[table["stack"] == stack] for table in (heads, layers[layers["kept"] != ""]))
        rows += [told(f"{kind}: {name}", value) for name, value in _alone(own, SIGNIFICANT.get(stack, ""))]
        published = ", ".join(f"{effect:+.2f}" for effect in PUBLISHED[stack])
        name = f"{kind}: all but the best head, by layer (published {published})"
        rows.append(told(name, _effects(alone), "BLEU"))
    agreement = result.table("ablation_agreement").set_index("measure")
    for measure, row in agreement.iterrows():
        beside = f" (published {AGREEMENT})" if measure == "pearson" else ""
        value = f"{row['value']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
        rows.append(told(f"effects on both test sets, {measure}{beside}", value))
    return rows


def _alone(heads: pd.DataFrame, published: str) -> Iterator[tuple[str, str]]:
    """Of one kind: heads whose removal changes BLEU, their verdicts, and every effect, layer by layer."""
    changes = heads[heads["p"] < LEVEL]
    better = int((changes["effect"] > 0).sum())
    yield (
        f"heads of {len(heads)} that change BLEU alone, p < {LEVEL}{published}",
        f"{len(changes)}, {better} for the better",
    )
    yield (
        "verdicts, for all heads at once",
        ", ".join(f"{(heads['verdict'] == each).sum()} {each}" for each in VERDICTS),
    )
    for layer, part in heads.groupby("layer"):
        yield f"layer {layer}, BLEU points without each head (* p < {LEVEL})", _effects(part)


def _effects(table: pd.DataFrame) -> str:
    """In BLEU points, with a star where p is low.

    >>> _effects(pd.DataFrame({"effect": [-0.012, 0.001], "p": [0.001, 0.5]}))
    '-1.20*, +0.10'
    """
    return ", ".join(
        f"{100 * effect:+.2f}{'*' if p < LEVEL else ''}"
        for effect, p in zip(table["effect"], table["p"], strict=True)
    )


def pruning_rows(kind: str, result: Result) -> list[Row]:
    """BLEU along the orders of importance and of effects, and at random, the mean of orders."""
    means = result.table("pruning").groupby(["order", "share"])["score"].mean()
    return [
        told(
            f"{KINDS[kind]} pruned {how}: share and BLEU",
            ", ".join(f"{share:.0%} {100 * score:.1f}" for share, score in means[order].items()),
        )
        for order, how in ORDERS.items()
    ]

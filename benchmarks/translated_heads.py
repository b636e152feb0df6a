"""Heads of the small transformer, removed by BLEU: beside tables 1 and 2 of Michel et al. 2019."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

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

AGREEMENT = 0.56
"""Correlation of the effects of single heads between news and texts of Reddit."""

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
    """Verdicts by kind, all but one by layer, and agreement, each beside what was published."""
    heads = result.table("ablation")
    rows = []
    for kind, part in heads.groupby("stack", sort=False):
        counts = ", ".join(f"{(part['verdict'] == verdict).sum()} {verdict}" for verdict in VERDICTS)
        worst = part.loc[part["effect"].idxmin()]
        rows.append(told(f"{KINDS[kind]}: {len(part)} heads: {counts}", ""))
        rows.append(told(f"{KINDS[kind]}: worst alone, {worst['head']}", 100 * worst["effect"], "BLEU"))
    changed = int((heads["p"] < 0.01).sum())
    rows.append(told(f"heads that change BLEU at p < .01, of {len(heads)} (published 8 of 96)", changed))
    layers = result.table("ablation_layers")
    alone = layers[layers["kept"] != ""]
    for kind, part in alone.groupby("stack", sort=False):
        effects = ", ".join(f"{100 * effect:+.2f}" for effect in part["effect"])
        published = ", ".join(f"{effect:+.2f}" for effect in PUBLISHED[kind])
        rows.append(told(f"{KINDS[kind]}: all but the best head, by layer (published {published})", effects))
    agreement = result.table("ablation_agreement").set_index("measure")["value"]
    rows += [
        told(f"effects on both test sets, {measure} (published r {AGREEMENT})", float(agreement[measure]))
        for measure in agreement.index
    ]
    return rows


def pruning_rows(kind: str, result: Result) -> list[Row]:
    """BLEU along the order of importance."""
    curve = result.table("pruning").query("order == 'importance'")
    points = ", ".join(
        f"{share:.0%} {100 * score:.1f}" for share, score in zip(curve["share"], curve["score"], strict=True)
    )
    return [told(f"{KINDS[kind]} pruned by importance: share and BLEU", points)]

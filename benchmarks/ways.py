"""Rows about adversaries, each beside what was published and what was hoped for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from benchmarks.rows import Row, at_least, at_most, told
from headscope.results.result import Result

PUBLISHED_SWEEP = "F1 .89 to .86 up to lambda 2.0, .75 to .74 beyond, but .864 at 2.6 and .867 at 3.1"
"""Yang, Is Attention Points Out the Only Path?: a run each, whose KL is divided by the length of texts."""

ADVERSARY, SAME, WORDS = "adversary", "same", "single words"


def chunker_rows(result: Result, seconds: float) -> list[Row]:
    """The sweep of Yang, Is Attention Points Out the Only Path?, and what its maps are worth."""
    curve, name = result.table("curve"), "chunker"
    own = curve[curve["kind"] == ADVERSARY].sort_values("penalty")
    return [
        told(f"{name}: F1 of the model on test", 100 * _score(curve, "base"), "%"),
        told(f"{name}, published: {PUBLISHED_SWEEP}", ""),
        *_sweep(name, own),
        *_beside(name, curve),
        *_collapse(name, result),
        *_frozen_chunker(name, result),
        *_plain(name, result),
        *_instances(name, result),
        told(f"{name}: processor time of all models", seconds / 60, "min"),
    ]


def sst_rows(result: Result, seconds: float) -> list[Row]:
    """Wiegreffe and Pinter 2019."""
    curve, name = result.table("curve"), "SST"
    own = curve[curve["kind"] == ADVERSARY].sort_values("penalty")
    learned, even = _score(curve, "other seed"), _score(curve, "control", "even")
    near = own[(own["penalty"] > 0) & (own["half_variation"] <= 0.06)]
    far = near["jsd"].max() if len(near) else 0.0
    rows = [
        *_sweep(name, own),
        *_beside(name, curve),
        at_most(
            f"{name}: learned less even attention, size of it (published .831 and .822)",
            abs(100 * (learned - even)), "points", 2,
        ),
        at_least(
            f"{name}: furthest adversary at half TVD of at most .06 (published .514 at .036)",
            far, "nats", 0.45,
        ),
    ]  # fmt: skip
    frozen = result.table("frozen")
    words = frozen[frozen["net"] == WORDS]
    f1 = {
        maps: 100 * float(words.loc[words["maps"] == maps, "f1"].mean()) for maps in ("own", "base", "even")
    }
    rows.append(told(f"{name}: single words with even maps, F1 (published 81.2)", f1["even"], "%"))
    rows += [
        at_least(f"{name}: single words with {maps} maps, F1 (published {known})", f1[maps], "%", 78)
        for maps, known in (("own", 81.7), ("base", 82.4))
    ]
    for row in words[words["maps"] == ADVERSARY].itertuples():
        rows.append(
            at_least(
                f"{name}: single words, base less adversary of penalty {row.penalty:g} (published 23.2)",
                f1["base"] - 100 * float(row.f1), "points of F1", 10,
            )
        )  # fmt: skip
    rows += _instances(name, result)
    return [*rows, told(f"{name}: processor time of all models", seconds / 60, "min")]


def encoder_rows(result: Result, seconds: float, quick: float) -> list[Row]:
    """A sweep of copies of the embedded model."""
    curve, name = result.table("curve"), "encoder on SST-2"
    own = curve[curve["kind"] == ADVERSARY].sort_values("penalty")
    return [
        told(f"{name}: accuracy of the model", 100 * _score(curve, "base"), "%"),
        *_sweep(name, own),
        *_beside(name, curve),
        at_most(f"{name}: processor time of 3 penalties with 2 seeds", seconds / 60, "min", 60),
        at_most(f"{name}: processor time of --quick", quick / 60, "min", 10),
    ]


def _sweep(name: str, own: pd.DataFrame) -> list[Row]:
    return [
        told(f"{name}, penalty {row.penalty:g} ({row.models} models)", _words(row))
        for row in own.itertuples()
    ]


def _words(row: object) -> str:
    """A row of the curve in words."""
    score, low, high = (100 * getattr(row, f"score{end}") for end in ("", "_lowest", "_highest"))
    told = {name: getattr(row, name) for name in ("jsd", "jsd_matched", "kl", "variation", "tau", "top")}
    return (
        f"score {score:.1f} ({low:.1f} to {high:.1f}), JSD {told['jsd_matched']:.3f} "
        f"({told['jsd']:.3f} by index), KL {told['kl']:.2f}, TVD {told['variation']:.3f}, "
        f"tau {told['tau']:.2f}, top {100 * told['top']:.0f} %"
    )


def _score(curve: pd.DataFrame, kind: str, attention: str = "own") -> float:
    return float(curve.loc[(curve["kind"] == kind) & (curve["attention"] == attention), "score"].mean())


def _beside(name: str, curve: pd.DataFrame) -> list[Row]:
    """Other seeds and controls."""
    others = curve[~curve["kind"].isin(["base", ADVERSARY])]
    rows = []
    for row in others.itertuples():
        attention = "" if row.attention == "own" else f": {row.attention}"
        rows.append(told(f"{name}, {row.kind}{attention} ({row.models} models)", _words(row)))
    return rows


def _collapse(name: str, result: Result) -> list[Row]:
    """Where scores step down, and whether models of one penalty part."""
    rows = []
    for row in rows_of(result, "collapse"):
        levels = f"from {100 * row.before:.1f} to {100 * row.behind:.1f} %"
        where = f"{row.place:.3g} ({row.low:.3g} to {row.high:.3g}), {levels}"
        better = f"BIC better by {row.gain:.1f} than a line's"
        rows.append(told(f"{name}: step along {row.along}", f"{where}; {better}"))
    for row in rows_of(result, "regimes"):
        parted = (
            f"{row.lower_models} of {row.models} at {100 * row.lower:.1f}, others at {100 * row.higher:.1f} %"
        )
        rows.append(told(f"{name}: two groups at penalty {row.penalty:g}", f"{parted}, p {row.p:.4f}"))
    return rows


def _frozen_chunker(name: str, result: Result) -> list[Row]:
    """Maps in a fresh chunker."""
    frozen, curve = result.table("frozen"), result.table("curve")
    same = frozen[frozen["net"] == SAME]
    base = 100 * float(same.loc[same["maps"] == "base", "score"].mean())
    what = f"{name}, frozen maps in a fresh one"
    rows = [
        at_least(f"{what}: base (Yang printed .90, nothing was frozen)", base, "% F1", 88),
        told(
            f"{what}: other seeds",
            100 * float(same.loc[same["maps"] == "other seed", "score"].mean()),
            "% F1",
        ),
    ]
    rows += [
        at_most(f"{what}: {maps}", 100 * _score(curve, "control", maps), "% F1", 78)
        for maps in ("even", "random")
    ]
    own = same[same["maps"] == ADVERSARY].sort_values("penalty")
    step = next((row.place for row in rows_of(result, "collapse") if row.along == "penalty"), np.inf)
    bare = max(_score(curve, "control", maps) for maps in ("even", "random"))
    for row in own.itertuples():
        label, score = f"{what}: adversaries of penalty {row.penalty:g}", 100 * float(row.score)
        if row.penalty > step:
            rows.append(at_most(label, score, "% F1", 78))
        elif row.penalty > 0:
            between = float(100 * bare < score < base)
            rows.append(
                at_least(f"{label} ({score:.1f} %) lie between base and even or random", between, "", 1)
            )
        else:
            rows.append(told(label, score, "% F1"))
    correlation = float(spearmanr(own["penalty"], own["score"]).statistic)
    rows.append(at_most(f"{what}: Spearman of penalty and mean F1", correlation, "", -0.8))
    return rows


def _plain(name: str, result: Result) -> list[Row]:
    """Maps in nets that have little else."""
    frozen = result.table("frozen")
    rows = []
    for net in [net for net in dict.fromkeys(frozen["net"]) if net != SAME]:
        some = frozen[frozen["net"] == net]
        told_of = [
            f"{row.maps}{'' if np.isnan(row.penalty) else f' {row.penalty:g}'} {100 * row.score:.1f}"
            for row in some.itertuples()
        ]
        rows.append(told(f"{name}, {net}, F1 by maps", ", ".join(told_of)))
    return rows


def _instances(name: str, result: Result) -> list[Row]:
    return [
        told(
            f"{name}: adversaries to single answers, median JSD and mean TVD",
            f"{row.median:.3f} and {row.variation:.3f} ({row.answers} answers)",
        )
        for row in rows_of(result, "instances")
    ]


def rows_of(result: Result, name: str) -> Iterable[Any]:
    """Of a table that a short run does not have."""
    return result.table(name).itertuples() if name in result.tables else ()

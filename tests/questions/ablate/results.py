"""Results of ablate made by hand, of any number of stacks, layers and heads."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from headscope.results.result import Result
from tests.questions.survey.results import build_heads


def build_ablation(
    stacks: dict[str, list[int]] | None = None, other: bool = True, seed: int = 0, base: float = 0.9128
) -> Result:
    """Heads of which few matter; `verdict` follows from the effect."""
    random = np.random.default_rng(seed)
    places = build_heads(stacks or {"encoder": [12] * 6})[["stack", "layer", "index"]]
    table = pd.DataFrame({name: places[name].values for name in ("head", "stack", "layer", "index")})
    count = len(table)
    effect = np.round(random.normal(0, 2.5, count)) / 872
    strong = random.choice(count, max(count // 18, 1), replace=False)
    effect[strong] -= random.gamma(2, 0.012, len(strong))
    width = 0.009 + np.abs(effect) / 2
    adjusted = np.where(effect < -0.012, 0.002, 1.0)
    verdict = np.select([adjusted <= 0.05, effect > -0.001], ["worse", "harmless"], "undecided")
    loss = np.abs(effect) * random.uniform(0.5, 6, count) + random.normal(0, 0.002, count)
    table = table.assign(
        score=base + effect, effect=effect, low=effect - width, high=effect + width, worst=effect - width,
        p=adjusted / 2, p_adjusted=adjusted, verdict=verdict, loss_effect=loss, loss_low=loss - 0.01,
        loss_high=loss + 0.01, loss_p_adjusted=adjusted, loss_verdict=verdict,
    )  # fmt: skip
    tables = {"ablation": table, "ablation_layers": _layers(table, random), **_importance(table, random)}
    if other:
        second = effect * 0.8 + np.round(random.normal(0, 3, count)) / 872
        tables["ablation_both"] = table[["head", "stack", "layer", "index", "effect", "verdict"]].assign(
            other_effect=second, other_verdict=verdict
        )
        tables["ablation_agreement"] = pd.DataFrame(
            [
                {"data": "dev", "other": "reviews", "measure": measure, "value": value, "low": value - 0.14,
                 "high": value + 0.11}
                for measure, value in (("pearson", 0.68), ("spearman", 0.41))
            ]
        )  # fmt: skip
    data = {name: ("head", table[name].to_numpy()) for name in table.columns[4:]}
    about = {"metric": "accuracy", "base": base, "margin": 0.01, "data": "sst2-dev"}
    return Result("ablate", {"ablation": xr.Dataset(data, places.coords, about)}, tables)


def _layers(table: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Whole layers cost much, all but one little."""
    rows = []
    for removed, scale in (("all heads", 0.08), ("all but one", 0.006)):
        for (stack, layer), _ in table.groupby(["stack", "layer"], sort=False):
            effect = -random.gamma(1.0, scale) + 0.002
            verdict = "worse" if effect < -0.012 else "harmless" if effect > -0.002 else "undecided"
            name = f"{stack}:L{layer}H1" if table["stack"].nunique() > 1 else f"L{layer}H1"
            rows.append(
                {"stack": stack, "layer": layer, "removed": removed,
                 "kept": name if removed == "all but one" else "", "score": 0.9128 + effect, "effect": effect,
                 "low": effect - 0.012, "high": effect + 0.012, "worst": effect - 0.012, "p_adjusted": 1.0,
                 "verdict": verdict}
            )  # fmt: skip
    return pd.DataFrame(rows)


def _importance(table: pd.DataFrame, random: np.random.Generator) -> dict[str, pd.DataFrame]:
    count = len(table)
    example = (np.abs(table["loss_effect"]) + 0.0005) * np.exp(random.normal(0, 0.7, count))
    scores = table[["head", "stack", "layer", "index"]].assign(
        example=example, token=example * np.exp(random.normal(0, 0.3, count)), example_normalised=example,
        token_normalised=example, confidence=random.uniform(0.1, 0.9, count), effect=table["effect"],
        loss_effect=table["loss_effect"],
    )  # fmt: skip
    names = ["example", "token", "confidence", "example_normalised", "token_normalised"]
    agreement = [
        {"score": score, "against": against, "spearman": value, "low": value - 0.15, "high": value + 0.1}
        for score, start in zip(names, (0.62, 0.55, 0.1, 0.5, 0.45), strict=True)
        for against, value in (("loss", start), ("metric", start - 0.2))
    ]
    return {"importance": scores, "importance_agreement": pd.DataFrame(agreement)}

"""Tables and arrays of what probes gave: scores beside baselines, heads they lean on, the control task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.heads import Head
from headscope.measures.statistics import bootstrap_interval
from headscope.probes.outcomes import ATTENTION, BRANCHING, DISTANCES, WORDS, Outcome
from headscope.probes.scores import MEASURES

ORDER = (BRANCHING, DISTANCES, ATTENTION, WORDS)
DIRECTIONS = ("to candidate", "from candidate")


def of_twins(probe: str) -> str:
    """The name of a probe that reads random twins."""
    return f"{probe}, random twins"


PUBLISHED: dict[tuple[str, str], float] = {
    (BRANCHING, "uas"): 0.26,
    (DISTANCES, "uas"): 0.58,
    (of_twins(WORDS), "uas"): 0.30,
    (ATTENTION, "uas"): 0.61,
    (WORDS, "uas"): 0.77,
    ("structural probe", "uuas"): 0.80,
}
"""Clark et al. 2019, table 3: BERT-base, Penn Treebank dev with Stanford dependencies."""


def rounds_of(outcomes: Sequence[Outcome], twins: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """The rounds in which each probe took part, by the name that it has in tables."""
    real = {name: [one for one in outcomes if name in one.scores] for name in ORDER}
    random = {of_twins(name): [one for one in twins if name in one.scores] for name in (ATTENTION, WORDS)}
    baselines = {name: real[name] for name in (BRANCHING, DISTANCES)}
    probes = {name: real[name] for name in (ATTENTION, WORDS)}
    return {name: found for name, found in {**baselines, **random, **probes}.items() if found}


def probes_table(outcomes: Sequence[Outcome], twins: Sequence[Outcome]) -> pd.DataFrame:
    """One row per probe and seed."""
    rows = []
    for name, rounds in rounds_of(outcomes, twins).items():
        plain = _plain(name)
        for one in rounds if name != BRANCHING else rounds[:1]:
            right, every = np.moveaxis(one.scores[plain].sum(0), -1, 0)
            loss = one.losses.get(plain, np.nan)
            rows.append({"probe": name, "seed": one.seed, **_measures(right, every), "loss": loss})
    return pd.DataFrame(rows)


def summary_table(outcomes: Sequence[Outcome], twins: Sequence[Outcome], seed: int) -> pd.DataFrame:
    """One row per probe and measure: mean and spread over seeds, interval over documents, published."""
    rows = []
    for name, rounds in rounds_of(outcomes, twins).items():
        counts = np.stack([one.scores[_plain(name)] for one in rounds])
        totals = counts.sum(1)
        each = _ratio(totals[..., 0], totals[..., 1])
        low, high = bootstrap_interval(counts[..., 0].mean(0), counts[0, ..., 1], seed)
        is_drawn = name != BRANCHING
        for place, measure in enumerate(MEASURES):
            rows.append(
                {
                    "probe": name,
                    "measure": measure,
                    "mean": each[:, place].mean(),
                    "spread": each[:, place].std(ddof=1) if is_drawn and len(each) > 1 else np.nan,
                    "low": low[place],
                    "high": high[place],
                    "runs": len(each) if is_drawn else 1,
                    "published": PUBLISHED.get((name, measure), np.nan),
                }
            )
    structural = {"probe": "structural probe", "measure": "uuas", "runs": 0}
    rows.append({**structural, "published": PUBLISHED["structural probe", "uuas"]})
    return pd.DataFrame(rows)


def control_table(outcomes: Sequence[Outcome], seed: int) -> pd.DataFrame:
    """One row per probe: its score on trees, in the control task, and the difference with its interval."""
    rows = []
    for name in (ATTENTION, WORDS):
        rounds = [one for one in outcomes if name in one.control]
        if not rounds:
            continue
        trees = np.stack([one.scores[name][:, 0] for one in rounds])
        control = np.stack([one.control[name] for one in rounds])
        words = trees[0, :, 1]
        gain = (trees[..., 0] - control[..., 0]).mean(0)
        low, high = bootstrap_interval(gain, words, seed)
        each = _ratio((trees[..., 0] - control[..., 0]).sum(1), trees[..., 1].sum(1))
        rows.append(
            {
                "probe": name,
                "uas": float(_ratio(trees[..., 0].sum(), trees[..., 1].sum())),
                "control": float(_ratio(control[..., 0].sum(), control[..., 1].sum())),
                "selectivity": each.mean(),
                "spread": each.std(ddof=1) if len(each) > 1 else np.nan,
                "low": low.item(),
                "high": high.item(),
            }
        )
    return pd.DataFrame(rows, columns=["probe", "uas", "control", "selectivity", "spread", "low", "high"])


def heads_dataset(outcomes: Sequence[Outcome], setting: Setting, seed: int) -> xr.Dataset:
    """`drop` (head, probe): what UAS loses without a head; `weight`: those of the attention-only probe."""
    probes = [name for name in (ATTENTION, WORDS) if all(name in one.without for one in outcomes)]
    drops, lows, highs = [], [], []
    for name in probes:
        full = np.mean([one.scores[name][:, 0] for one in outcomes], axis=0)
        without = np.mean([one.without[name] for one in outcomes], axis=0)
        lost = full[:, :1] - without
        low, high = bootstrap_interval(lost, full[:, 1:], seed)
        drops.append(_ratio(lost.sum(0), full[:, 1].sum()))
        lows.append(low)
        highs.append(high)
    axes = ("head", "probe")
    data = {
        "drop": (axes, np.stack(drops, 1)),
        "drop_low": (axes, np.stack(lows, 1)),
        "drop_high": (axes, np.stack(highs, 1)),
        "weight": (("head", "direction"), np.mean([one.weights for one in outcomes], axis=0).T),
    }
    labels = {"probe": probes, "direction": list(DIRECTIONS)}
    return xr.Dataset(data, coords={**setting.coordinates(), **labels})


def heads_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head and probe, the largest drop first."""
    chosen = dataset[["drop", "drop_low", "drop_high"]].rename(drop_low="low", drop_high="high")
    table = chosen.to_dataframe().reset_index()
    table["one_based"] = [
        Head(stack, layer, index).one_based()
        for stack, layer, index in zip(table["stack"], table["layer"], table["index"], strict=True)
    ]
    columns = ["probe", "head", "stack", "layer", "index", "one_based", "drop", "low", "high"]
    return table[columns].sort_values(["probe", "drop"], ascending=[True, False], kind="stable")


def _plain(name: str) -> str:
    return next(probe for probe in ORDER if name in (probe, of_twins(probe)))


def _measures(right: np.ndarray, every: np.ndarray) -> dict[str, float]:
    return {name: float(value) for name, value in zip(MEASURES, _ratio(right, every), strict=True)}


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: np.ndarray = np.asarray(top / bottom)
    return ratio

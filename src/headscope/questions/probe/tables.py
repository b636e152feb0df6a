"""Tables and arrays of what probes gave: scores beside baselines, heads they lean on, the control task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.heads import Head
from headscope.measures.statistics import bootstrap_interval, ratio
from headscope.probes.outcomes import ATTENTION, BRANCHING, DISTANCES, WORDS, Outcome
from headscope.probes.scores import MEASURES

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


def rounds_of(
    outcomes: Sequence[Outcome], twins: Sequence[Outcome]
) -> Iterator[tuple[str, str, list[Outcome]]]:
    """Each probe that was scored: its name in tables, its own name, and its rounds."""
    entries = [
        *((probe, probe, outcomes) for probe in (BRANCHING, DISTANCES)),
        *((of_twins(probe), probe, twins) for probe in (ATTENTION, WORDS)),
        *((probe, probe, outcomes) for probe in (ATTENTION, WORDS)),
    ]
    for name, probe, rounds in entries:
        scored = [outcome for outcome in rounds if probe in outcome.scores]
        if scored:
            yield name, probe, scored


def probes_table(outcomes: Sequence[Outcome], twins: Sequence[Outcome]) -> pd.DataFrame:
    """One row per probe and seed."""
    rows = []
    for name, probe, rounds in rounds_of(outcomes, twins):
        for outcome in rounds if name != BRANCHING else rounds[:1]:
            right, every = np.moveaxis(outcome.scores[probe].sum(0), -1, 0)
            measures = dict(zip(MEASURES, ratio(right, every).tolist(), strict=True))
            loss = outcome.losses.get(probe, np.nan)
            rows.append({"probe": name, "seed": outcome.seed, **measures, "loss": loss})
    return pd.DataFrame(rows)


def summary_table(outcomes: Sequence[Outcome], twins: Sequence[Outcome], seed: int) -> pd.DataFrame:
    """One row per probe and measure: mean and spread over seeds, interval over documents, published."""
    rows = []
    for name, probe, rounds in rounds_of(outcomes, twins):
        counts = np.stack([outcome.scores[probe] for outcome in rounds])
        totals = counts.sum(1)
        each = ratio(totals[..., 0], totals[..., 1])
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
        rounds = [outcome for outcome in outcomes if name in outcome.control]
        if not rounds:
            continue
        trees = np.stack([outcome.scores[name][:, 0] for outcome in rounds])
        control = np.stack([outcome.control[name] for outcome in rounds])
        gain = trees[..., 0] - control[..., 0]
        low, high = bootstrap_interval(gain.mean(0), trees[0, :, 1], seed)
        each = ratio(gain.sum(1), trees[..., 1].sum(1))
        rows.append(
            {
                "probe": name,
                "uas": float(ratio(trees[..., 0].sum(), trees[..., 1].sum())),
                "control": float(ratio(control[..., 0].sum(), control[..., 1].sum())),
                "selectivity": each.mean(),
                "spread": each.std(ddof=1) if len(each) > 1 else np.nan,
                "low": low.item(),
                "high": high.item(),
            }
        )
    return pd.DataFrame(rows, columns=["probe", "uas", "control", "selectivity", "spread", "low", "high"])


def heads_dataset(outcomes: Sequence[Outcome], setting: Setting, seed: int) -> xr.Dataset:
    """`drop` (head, probe): what UAS loses without a head; `weight`: those of the attention-only probe."""
    probes = [name for name in (ATTENTION, WORDS) if all(name in outcome.without for outcome in outcomes)]
    drop, low, high = np.stack([_drop(outcomes, probe, seed) for probe in probes], -1)
    axes = ("head", "probe")
    data = {
        "drop": (axes, drop),
        "drop_low": (axes, low),
        "drop_high": (axes, high),
        "weight": (("head", "direction"), np.mean([outcome.weights for outcome in outcomes], axis=0).T),
    }
    labels = {"probe": probes, "direction": list(DIRECTIONS)}
    return xr.Dataset(data, coords={**setting.coordinates(), **labels})


def _drop(outcomes: Sequence[Outcome], probe: str, seed: int) -> np.ndarray:
    """What the UAS of a probe loses without each head, and its interval, (3, head)."""
    full = np.mean([outcome.scores[probe][:, 0] for outcome in outcomes], axis=0)
    lost = full[:, :1] - np.mean([outcome.without[probe] for outcome in outcomes], axis=0)
    return np.stack([ratio(lost.sum(0), full[:, 1].sum()), *bootstrap_interval(lost, full[:, 1:], seed)])


def heads_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head and probe, the largest drop first."""
    drops = dataset[["drop", "drop_low", "drop_high"]].rename(drop_low="low", drop_high="high")
    table = drops.to_dataframe().reset_index()
    places = table[["stack", "layer", "index"]].itertuples(index=False)
    table["one_based"] = [Head(*place).one_based() for place in places]
    columns = ["probe", "head", "stack", "layer", "index", "one_based", "drop", "low", "high"]
    return table[columns].sort_values(["probe", "drop"], ascending=[True, False], kind="stable")

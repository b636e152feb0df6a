"""Tables and arrays of what probes gave: scores beside baselines, heads they lean on, the control task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.heads import Head
from headscope.measures.paired import simultaneous
from headscope.measures.statistics import bootstrap_interval, drawn_apart, ratio
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


BESIDE = {ATTENTION: (of_twins(ATTENTION), BRANCHING), WORDS: (DISTANCES,)}
"""What a probe is held against: the first of these that was scored."""


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
    scored: dict[str, np.ndarray] = {}  # (round, block, measure, 2) of each probe
    for name, probe, rounds in rounds_of(outcomes, twins):
        scored[name] = counts = np.stack([outcome.scores[probe] for outcome in rounds])
        beside = next((other for other in BESIDE.get(name, ()) if other in scored), "")
        above = _above(counts, scored.get(beside), seed)
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
                    "beside": beside,
                    **{column: values[place] for column, values in above.items()},
                    "published": PUBLISHED.get((name, measure), np.nan),
                }
            )
    structural = {"probe": "structural probe", "measure": "uuas", "runs": 0, "beside": "", "sure": False}
    rows.append({**structural, "published": PUBLISHED["structural probe", "uuas"]})
    return pd.DataFrame(rows)


def _above(counts: np.ndarray, beside: np.ndarray | None, seed: int) -> dict[str, np.ndarray]:
    """How far one probe is above another, by measure; counts: of each, (round, block, measure, 2).

    The interval is over documents. Sure is what is above 0 there, and above what other seeds or other random
    twins would give.
    """
    if beside is None:
        nothing = np.full(counts.shape[2], np.nan)
        names = ("beside_mean", "above", "above_low", "above_high")
        return {**dict.fromkeys(names, nothing), "sure": np.zeros(counts.shape[2], bool)}
    own, other = (ratio(*np.moveaxis(rounds.sum(1), -1, 0)) for rounds in (counts, beside))
    gain = counts[..., 0].mean(0) - beside[..., 0].mean(0)
    low, high = bootstrap_interval(gain, counts[0, ..., 1], seed)
    return {
        "beside_mean": other.mean(0),
        "above": own.mean(0) - other.mean(0),
        "above_low": low,
        "above_high": high,
        "sure": (low > 0) & drawn_apart(own, other),
    }


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
    drop, low, high, sure = np.stack([_drop(outcomes, probe, seed) for probe in probes], -1)
    axes = ("head", "probe")
    data = {
        "drop": (axes, drop),
        "drop_low": (axes, low),
        "drop_high": (axes, high),
        "drop_sure": (axes, sure > 0),
        "weight": (("head", "direction"), np.mean([outcome.weights for outcome in outcomes], axis=0).T),
    }
    labels = {"probe": probes, "direction": list(DIRECTIONS)}
    return xr.Dataset(data, coords={**setting.coordinates(), **labels})


def _drop(outcomes: Sequence[Outcome], probe: str, seed: int) -> np.ndarray:
    """What the UAS of a probe loses without each head, its interval, and whether it is sure, (4, head).

    The interval is of one head alone. Sure is what the bounds for all heads at once put above 0.
    """
    full = np.mean([outcome.scores[probe][:, 0] for outcome in outcomes], axis=0)
    without = np.mean([outcome.without[probe] for outcome in outcomes], axis=0)
    lost = full[:, :1] - without
    used = full[:, 1] > 0
    after = np.stack([without, np.broadcast_to(full[:, 1:], without.shape)], -1)
    bounds = simultaneous(full[used], after[used], lambda sums: ratio(sums[..., 0], sums[..., 1]), seed)
    interval = bootstrap_interval(lost, full[:, 1:], seed)
    return np.stack([ratio(lost.sum(0), full[:, 1].sum()), *interval, bounds.high < 0])


def heads_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head and probe, the largest drop first."""
    names = {"drop": "drop", "drop_low": "low", "drop_high": "high", "drop_sure": "sure"}
    drops = dataset[list(names)].rename(names)
    table = drops.to_dataframe().reset_index()
    places = table[["stack", "layer", "index"]].itertuples(index=False)
    table["one_based"] = [Head(*place).one_based() for place in places]
    columns = ["probe", "head", "stack", "layer", "index", "one_based", "drop", "low", "high", "sure"]
    return table[columns].sort_values(["probe", "drop"], ascending=[True, False], kind="stable")

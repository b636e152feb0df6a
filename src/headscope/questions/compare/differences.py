"""Two or more surveys side by side: what changed in which head, and is it more than chance?

Chance is what exchanging blocks of documents between the runs does (`exchange`); runs over the same text are
paired. A head counts as changed when the interval that holds for all heads and measures at once leaves out 0.
Measures of made text have documents of their own, so they are exchanged among themselves; where there are
both, each has half of the 5 % that the interval for all may miss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from headscope.errors import RunError
from headscope.measures.exchange import Exchanged, Side, exchange
from headscope.measures.statistics import ratio

DRAWS = 2000
LEVEL = 0.95


def compare(
    surveys: Sequence[xr.Dataset],
    names: Sequence[str],
    paired: Mapping[str, bool],
    measures: Sequence[str],
    seed: int = 0,
) -> dict[str, xr.Dataset]:
    """`differences` of each run from the first, and `curves` by layer over the runs.

    paired: whether all runs read the same, by the text that measures are of.
    """
    first = surveys[0]
    for name, survey in zip(names, surveys, strict=True):
        if "measure_text" not in survey:
            raise RunError(f"{name} was surveyed by an earlier version, which kept less; survey it again")
    for name, other in zip(names[1:], surveys[1:], strict=True):
        missing = [measure for measure in measures if measure not in other["measure"].values]
        if missing:
            raise RunError(f"{name} does not have the measure '{missing[0]}' of {names[0]}")
    texts = by_text(first, measures)
    of_text = [
        _exchanged(surveys, names, text, own, paired[text], seed, len(texts)) for text, own in texts.items()
    ]
    differences = xr.concat(of_text, "measure", combine_attrs="drop").sel(measure=list(measures))
    facts = {"draws": DRAWS, "level": LEVEL, "risk": (1 - LEVEL) / len(texts)}
    differences.attrs |= {**facts, "texts": [each.attrs for each in of_text]}
    sums = [_Sums.of(survey, measures) for survey in surveys]
    return {"differences": differences, "curves": _curves(first, sums, names, measures)}


def by_text(survey: xr.Dataset, measures: Sequence[str]) -> dict[str, list[str]]:
    """The measures of each text, in their order."""
    texts: dict[str, list[str]] = {}
    for measure in measures:
        texts.setdefault(str(survey["measure_text"].sel(measure=measure).item()), []).append(measure)
    return texts


def _exchanged(
    surveys: Sequence[xr.Dataset],
    names: Sequence[str],
    text: str,
    measures: Sequence[str],
    paired: bool,
    seed: int,
    texts: int,
) -> xr.Dataset:
    """Differences in the measures of one text of some, (pair, head, measure) each."""
    first, *others = (_Sums.of(survey, measures) for survey in surveys)
    found = [exchange(first.flat(), other.flat(), paired, seed, DRAWS, LEVEL, texts) for other in others]
    labels = {name: surveys[0][name] for name in ("head", "stack", "layer", "index")}
    titles = [f"{names[0]} → {name}" for name in names[1:]]
    columns = [_columns(pair) for pair in found]
    shape = (len(found), surveys[0].sizes["head"], len(measures))
    dims = ("pair", "head", "measure")
    data = {name: (dims, np.reshape([each[name] for each in columns], shape)) for name in columns[0]}
    facts = {"text": text, "paired": int(paired), "blocks": [list(pair.blocks) for pair in found],
             "least_p": [pair.least for pair in found]}  # fmt: skip
    return xr.Dataset(data, coords={**labels, "pair": titles, "measure": list(measures)}, attrs=facts)


def differences_table(differences: xr.Dataset) -> pd.DataFrame:
    """One row per pair of runs, head and measure."""
    return differences.drop_vars(("stack", "layer", "index")).to_dataframe().reset_index()


def summary_table(differences: pd.DataFrame) -> pd.DataFrame:
    """One row per pair of runs and measure: how many heads changed, of those that could be judged."""
    grouped = differences.groupby(["pair", "measure"], sort=False)
    counts = grouped["significant"].agg(heads="size", changed="sum", share="mean")
    counts.insert(1, "judged", grouped["reach"].count())
    table: pd.DataFrame = counts.reset_index()
    return table


class _Sums(NamedTuple):
    """Sums and counts of a survey's blocks, (block, head, measure) each, and how many documents they hold."""

    totals: np.ndarray
    counts: np.ndarray
    documents: int

    @classmethod
    def of(cls, survey: xr.Dataset, measures: Sequence[str]) -> _Sums:
        asked = survey.sel(measure=list(measures))
        documents = int(asked["measure_documents"].max())
        return cls(asked["block_total"].values, asked["block_count"].values, documents)

    def means(self) -> np.ndarray:
        """(head, measure)"""
        return ratio(self.totals.sum(0), self.counts.sum(0))

    def flat(self) -> Side:
        """All heads and measures in one row of cells."""
        blocks = len(self.totals)
        return Side(self.totals.reshape(blocks, -1), self.counts.reshape(blocks, -1), self.documents)


def _columns(pair: Exchanged) -> dict[str, np.ndarray]:
    """What the table says of each head and measure, (cell,)."""
    return {
        "difference": pair.value,
        "low": pair.value - pair.own,
        "high": pair.value + pair.own,
        "reach": pair.joint,
        "significant": pair.significant,
    }


def _curves(
    first: xr.Dataset, sums: Sequence[_Sums], names: Sequence[str], measures: Sequence[str]
) -> xr.Dataset:
    """Mean over the heads of a layer, by run: (run, stack, layer, measure)."""
    means = np.stack([of_run.means() for of_run in sums])
    stacks = list(dict.fromkeys(first["stack"].values))
    layers = sorted(set(first["layer"].values.tolist()))
    shape = (len(names), len(stacks), len(layers), len(measures))
    value = np.full(shape, np.nan)
    for s, stack in enumerate(stacks):
        for number, layer in enumerate(layers):
            here = (first["stack"].values == stack) & (first["layer"].values == layer)
            if here.any():
                value[:, s, number] = means[:, here].mean(1)
    return xr.Dataset(
        {"value": (("run", "stack", "layer", "measure"), value)},
        coords={"run": list(names), "stack": stacks, "layer": layers, "measure": list(measures)},
    )

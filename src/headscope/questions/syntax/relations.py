"""Answers about relations from the counts of `syntax`: the best head of each, beside its baselines.

Head and reading are chosen on one half of the documents and scored on the other (`crossfit`). Beside that
stands the number of the papers, which choose and score on the same words. The test asks whether the chosen
head is right more often than every offset, each over the same words and kept inside the sentence: so no
offset has to be chosen, and none loses where it runs off the end. Holm corrects for the relations that are
tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.crossfit import Fit, better_of, by_halves, cross_fit, halves, of_twins
from headscope.measures.statistics import bootstrap_interval, holm, ratio, sign_flip
from headscope.results.finding import LEVEL
from headscope.results.vocabulary import DEPENDENT_TO_HEAD, HEAD_TO_DEPENDENT, READINGS

ALL = "all"
EITHER = "either"
CHOSEN_FROM = READINGS[:2]
"""The readings among which a relation's best head is looked for: both count words, as the published code."""


def with_all(dataset: xr.Dataset) -> xr.Dataset:
    """Put the sum over all relations before them."""
    summed = dataset.sum("relation").expand_dims(relation=[ALL])
    by_relation = {
        name: xr.concat([summed[name].transpose(*array.dims), array], "relation")
        for name, array in dataset.data_vars.items()
        if "relation" in array.dims
    }
    rest = dataset.drop_vars(list(by_relation)).data_vars
    return xr.Dataset({**by_relation, **rest}, attrs=dataset.attrs)


@dataclass(frozen=True)
class Compared:
    """Chosen heads, and every offset over the same words.

    offsets: what each is right in, (block, offset, relation). reading: (half, relation).
    """

    head: Fit
    offsets: np.ndarray
    reading: np.ndarray

    def best_offset(self) -> np.ndarray:
        """The offset that is right most often, (relation,)."""
        best: np.ndarray = self.offsets.sum(0).argmax(0)
        return best

    def offset_accuracy(self) -> np.ndarray:
        """How often that is, (relation,)."""
        return ratio(self.offsets.sum(0).max(0), self.head.count.sum(0))

    def p(self, seed: int) -> np.ndarray:
        """One-sided p of the head being right more often than every offset, (relation,).

        The largest p of all offsets: an intersection-union test (Berger 1982), whose level is that of the
        single tests, whichever offset is the best one.
        """
        largest: np.ndarray = sign_flip(self.head.right[:, None] - self.offsets, seed).max(0)
        return largest


def compare(dataset: xr.Dataset) -> dict[str, Compared]:
    """The choice within each reading, and in the better one of those that count words."""
    heads = [cross_fit(*_sums(dataset, reading)) for reading in READINGS]
    offsets = dataset["inside_right"].transpose("reading", "block", "offset", "relation").values
    either, which = better_of(heads[: len(CHOSEN_FROM)])
    # Where one half has nothing to choose by, the reading of the other stands in both, as its head does.
    choices = {EITHER: (either, np.where(either.chosen >= 0, which, which[::-1]))} | {
        reading: (head, np.full_like(which, number))
        for number, (reading, head) in enumerate(zip(READINGS, heads, strict=True))
    }
    return {name: Compared(head, _read(offsets, head, read), read) for name, (head, read) in choices.items()}


def _sums(dataset: xr.Dataset, reading: str) -> tuple[np.ndarray, np.ndarray]:
    right = dataset["right"].sel(reading=reading).transpose("block", "head", "relation").values
    return right, dataset["count"].sel(reading=reading).transpose("block", "relation").values


def _read(offsets: np.ndarray, head: Fit, reading: np.ndarray) -> np.ndarray:
    """Offsets (reading, block, offset, relation) as the head is read in each half, where it is scored."""
    half = halves(offsets.shape[1])
    picked = np.take_along_axis(offsets, reading[half][None, :, None], axis=0)[0]
    return np.where((head.chosen >= 0)[half][:, None], picked, 0.0)


def relations_table(
    dataset: xr.Dataset, twins: Sequence[xr.Dataset], least: int, seed: int, reading: str = EITHER
) -> pd.DataFrame:
    """One row per relation of at least so many words, the most frequent first."""
    compared = compare(dataset)[reading]
    words = dataset["pairs"].sel(bearer="dependent").values
    table = pd.DataFrame({"relation": dataset["relation"].values, "words": words.astype(int)})
    low, high = bootstrap_interval(compared.head.right, compared.head.count, seed)
    table = table.assign(
        **by_halves("head", dataset["head"].values, compared.head.chosen),
        **by_halves("reading", np.array(READINGS), compared.reading),
        accuracy=compared.head.accuracy(),
        low=low,
        high=high,
        offset=dataset["offset"].values[compared.best_offset()],
        offset_accuracy=compared.offset_accuracy(),
        **_same_data(dataset, reading),
        **of_twins([compare(twin)[reading].head.accuracy() for twin in twins]),
    )
    table = table.assign(**_special(dataset, table))
    table["coverage"] = _coverage(dataset, compared.reading)
    # Without a word to be right in, there is nothing to compare.
    tested = (words >= least) & (compared.head.count.sum(0) > 0) & (table["relation"] != ALL)
    table["p"] = np.where(tested, compared.p(seed), np.nan)
    table["p_holm"] = holm(table["p"].to_numpy())
    # A twin that does as well owes it to the words and their places, and so may the head.
    table["found"] = (table["p_holm"] < LEVEL) & ~(table["twin_high"] >= table["accuracy"])
    frequent = table[table["words"] >= least]
    return frequent.sort_values("words", ascending=False, kind="stable", ignore_index=True)


def readings_table(dataset: xr.Dataset, twins: Sequence[xr.Dataset], least: int, seed: int) -> pd.DataFrame:
    """The same within each reading, so that none is chosen."""
    tables = [relations_table(dataset, twins, least, seed, reading) for reading in READINGS]
    return pd.concat(tables, ignore_index=True)


def summary_table(relations: pd.DataFrame) -> pd.DataFrame:
    """One row: for how many relations a head was found, of those that were tested."""
    single = relations[relations["relation"] != ALL]
    counts = {"relations": len(single), "tested": single["p"].notna().sum(), "found": single["found"].sum()}
    return pd.DataFrame([counts]).astype(int)


def _coverage(dataset: xr.Dataset, reading: np.ndarray) -> np.ndarray:
    """The share of what there is to be right in that the model can reach, (relation,), as the halves read."""
    count = dataset["count"].transpose("block", "relation", "reading").values
    by_block = reading[halves(len(count))]
    reached = np.take_along_axis(count, by_block[..., None], axis=2)[..., 0].sum(0)
    words, heads = (dataset["pairs"].sel(bearer=bearer).values for bearer in ("dependent", "head"))
    units = np.where((reading == READINGS.index(HEAD_TO_DEPENDENT)).all(0), heads, words)
    return ratio(reached, units)


def _same_data(dataset: xr.Dataset, reading: str) -> dict[str, list[str] | np.ndarray]:
    """Head and offset chosen and scored on all data, as the papers print it."""
    readings = CHOSEN_FROM if reading == EITHER else (reading,)
    sums = dataset.sel(reading=list(readings))
    stacked = sums["right"].sum("block").stack(candidate=("reading", "head"))
    right = stacked.transpose("relation", "candidate").values
    best = right.argmax(1)
    heads = dataset.sizes["head"]
    which = best // heads
    count = sums["count"].sum("block").transpose("relation", "reading").values
    offsets = sums["offset_right"].sum("block").transpose("relation", "reading", "offset").values
    rows = np.arange(len(best))
    near = offsets[rows, which]
    return {
        "same_data_head": dataset["head"].values[best % heads].astype(str).tolist(),
        "same_data_reading": [readings[number] for number in which],
        "same_data_accuracy": ratio(right[rows, best], count[rows, which]),
        "same_data_offset": dataset["offset"].values[near.argmax(1)],
        "same_data_offset_accuracy": ratio(near.max(1), count[rows, which]),
    }


def _special(dataset: xr.Dataset, table: pd.DataFrame) -> dict[str, np.ndarray]:
    """Attention of the best head (same data) to special tokens, from words that bear the relation and others.

    Those who bear it are the words that attend: dependents, or head words where the reading is theirs. For
    all relations together nobody is left to compare with.
    """
    heads = pd.Index(dataset["head"].values).get_indexer(table["same_data_head"])
    bearer = (table["same_data_reading"] != DEPENDENT_TO_HEAD).to_numpy().astype(int)
    rows = np.arange(len(table))
    bearing = dataset["special"].transpose("relation", "head", "bearer").values[rows, heads, bearer]
    count = dataset["pairs"].transpose("relation", "bearer").values[rows, bearer]
    total, words = dataset["special_all"].values[heads], dataset.attrs["words"]
    is_all = (table["relation"] == ALL).to_numpy()
    return {
        "special_bearing": np.where(is_all, np.nan, ratio(bearing, count)),
        "special_others": np.where(is_all, np.nan, ratio(total - bearing, words - count)),
    }


def scores(dataset: xr.Dataset) -> xr.Dataset:
    """How often each head and each offset is right, on all data; the first axis is `head`."""
    count = dataset["count"].sum("block")
    return xr.Dataset(
        {
            "accuracy": (dataset["right"].sum("block") / count).transpose("head", "relation", "reading"),
            "offset_accuracy": (dataset["offset_right"].sum("block") / count).transpose("offset", ...),
            "count": count,
        },
        attrs=dataset.attrs,
    )


def attachment_table(dataset: xr.Dataset, seed: int) -> pd.DataFrame:
    """One row per head: how many of all heads of words it finds, in each reading, with intervals."""
    every = dataset.sel(relation=ALL)
    table = pd.DataFrame({name: dataset[name].values for name in ("head", "stack", "layer", "index")})
    for reading in READINGS:
        sums = every.sel(reading=reading)
        right, count = sums["right"].transpose("block", "head").values, sums["count"].values[:, None]
        table[reading] = ratio(right.sum(0), count.sum(0))
        table[f"{reading} low"], table[f"{reading} high"] = bootstrap_interval(right, count, seed)
    return table


def head_relations_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head, relation and reading, on all data, beside the best offset on all data."""
    measured = scores(dataset).drop_vars(("stack", "layer", "index"))
    measured["offset_accuracy"] = measured["offset_accuracy"].max("offset")
    columns = measured[["accuracy", "offset_accuracy", "count"]]
    return columns.to_dataframe(["head", "relation", "reading"]).reset_index()

"""Answers about heads from the sums of `analyses.closeness`: divergences beside their baselines, and tests.

Where a mask hides a parent, two means are told apart: over the words whose target is seen (`kl`), with
`coverage` beside it, and over all words, where what is hidden counts 0 (`kl_all`, the paper's), whose level
depends on coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.closeness import ASKED, BEFORE, BY_SENTENCE, COUNT, LENGTH, REACHED, SENTENCES, WORDS
from headscope.analyses.crossfit import Fit, by_halves, cross_fit, of_twins
from headscope.measures.closeness import DIVERGENCE, RANK, WEIGHT
from headscope.measures.exchange import Exchanged, Side, exchange
from headscope.measures.statistics import bootstrap_interval, ratio
from headscope.measures.targets import DISTANCE, OWN
from headscope.results.vocabulary import FALSE_TREES, SWAPPED, TRUE_TREE

HEAD = ("head", "stack", "layer", "index")
"""The columns that name a head."""


def heads_table(
    dataset: xr.Dataset, twins: Sequence[xr.Dataset], tests: pd.DataFrame, seed: int
) -> pd.DataFrame:
    """One row per head and target."""
    true = dataset.sel(tree=TRUE_TREE)
    reached, asked = true["counts"][..., REACHED], true["counts"][..., ASKED]
    low, high = bootstrap_interval(true["sums"][..., DIVERGENCE].values, reached.values, seed)
    table = _rows(dataset)
    columns = {
        "kl": _mean(true["sums"][..., DIVERGENCE], reached),
        "low": low,
        "high": high,
        "even": _mean(true["even"][..., DIVERGENCE], reached),
        **{tree: mean_kl(dataset.sel(tree=tree)) for tree in FALSE_TREES},
        "coverage": _mean(reached, asked),
        "kl_all": _mean(true["sums"][..., DIVERGENCE], asked),
        "even_all": _mean(true["even"][..., DIVERGENCE], asked),
        "kl_sentences": _mean(true["sums"][..., BY_SENTENCE], true["counts"][..., SENTENCES]),
        "even_sentences": _mean(true["even"][..., BY_SENTENCE], true["counts"][..., SENTENCES]),
        "weight": _mean(true["sums"][..., WEIGHT], reached),
        "even_weight": _mean(true["even"][..., WEIGHT], reached),
        "rank": _mean(true["sums"][..., RANK], reached),
        "even_rank": _mean(true["even"][..., RANK], reached),
        "twin": _of_twins(twins, lambda twin: mean_kl(twin.sel(tree=TRUE_TREE)), low),
    }
    table = table.assign(**{name: values.ravel() for name, values in columns.items()})
    # No word is the target of a whole distribution.
    table.loc[table["target"] == DISTANCE, ["rank", "even_rank"]] = np.nan
    best = highest([advantage(twin) for twin in twins], low)
    passed = tests.groupby(["head", "target"], sort=False)["closer"].all()
    is_better = passed.loc[list(zip(table["head"], table["target"], strict=True))].to_numpy()
    table["found"] = is_better & ~(best >= advantage(dataset)).ravel()
    return table


def kinds_for(target: str) -> tuple[str, ...]:
    """The false trees that a target is tested against; what the source says itself has no random ones."""
    return (SWAPPED,) if target == OWN else FALSE_TREES


def tests_table(dataset: xr.Dataset, seed: int) -> pd.DataFrame:
    """One row per head, target and kind of false tree: both in the same sentences, and a test."""
    tables = []
    for target in dataset["target"].values:
        for tree in kinds_for(target):
            own, other, tested = compare(dataset, str(target), tree, seed)
            rows = pd.DataFrame({name: dataset[name].values for name in HEAD})
            tables.append(
                rows.assign(
                    target=str(target),
                    tree=tree,
                    true=_ratio(own),
                    false=_ratio(other),
                    difference=tested.value,
                    low=tested.value - tested.own,
                    high=tested.value + tested.own,
                    all_low=tested.value - tested.joint,
                    all_high=tested.value + tested.joint,
                    closer=tested.significant & (tested.value < 0),
                )
            )
    return pd.concat(tables, ignore_index=True)


def compare(dataset: xr.Dataset, target: str, tree: str, seed: int) -> tuple[Side, Side, Exchanged]:
    """True trees, false ones in the same sentences, and what tells them apart, (head,).

    Each divergence is less that of even attention: targets differ in entropy (a flat tree has more children
    to spread over) and in how much a mask shows around them, which says nothing of the head. Paired over
    blocks of documents; intervals for all heads at once by maxT (`measures.exchange`).
    """
    column = dataset.sel(target=target, tree=tree)
    documents = dataset.attrs["documents"]
    beside = column["beside"].transpose("block", "head", ...).values
    false = (column["sums"] - column["even"])[..., DIVERGENCE].transpose("block", "head").values
    seen = column["counts"][..., REACHED].transpose("block", "head").values
    own, other = (
        Side(beside[..., 0] - beside[..., 2], beside[..., 1], documents),
        Side(false, seen, documents),
    )
    return own, other, exchange(other, own, paired=True, seed=seed)


def best_table(dataset: xr.Dataset, twins: Sequence[xr.Dataset], seed: int) -> pd.DataFrame:
    """One row per target: the head that is farthest below even attention, scored where it was not chosen."""
    gains, fit = _fit(dataset)
    low, high = bootstrap_interval(fit.right, fit.count, seed)
    heads, count = dataset["head"].values, fit.count.sum(0)
    table = pd.DataFrame({"target": dataset["target"].values}).assign(
        **by_halves("head", heads, fit.chosen),
        gain=fit.accuracy(),
        low=low,
        high=high,
        same_data_head=heads[gains.sum(0).argmax(0)].astype(str),
        same_data_gain=ratio(gains.sum(0).max(0), np.where(count > 0, dataset_asked(dataset).sum(0), np.nan)),
        **of_twins([_fit(twin)[1].accuracy() for twin in twins]),
    )
    table.loc[table["gain"].isna(), ["head", "other_head", "same_data_head"]] = ""
    return table


def layers_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per layer, target and tree: the mean over its heads."""
    places = pd.DataFrame({name: dataset[name].values for name in ("stack", "layer")})
    rows = [
        means.assign(stack=stack, layer=layer)
        for stack, layer in dict.fromkeys(places.itertuples(index=False, name=None))
        for means in [group_means(dataset.isel(head=_of_layer(dataset, stack, layer)))]
    ]
    table = pd.concat(rows, ignore_index=True)
    return table[["stack", "layer", *[name for name in table if name not in ("stack", "layer")]]]


def group_means(dataset: xr.Dataset, seed: int | None = None) -> pd.DataFrame:
    """One row per target and tree: means over heads and words; with a seed, with intervals over documents."""
    sums, even = (dataset[name][..., DIVERGENCE].sum("head") for name in ("sums", "even"))
    counts = dataset["counts"].sum("head")
    reached, asked = counts[..., REACHED], counts[..., ASKED]
    by_sentence = dataset["sums"][..., BY_SENTENCE].sum("head")
    columns = {
        "kl": _mean(sums, reached),
        "even": _mean(even, reached),
        "coverage": _mean(reached, asked),
        "kl_all": _mean(sums, asked),
        "even_all": _mean(even, asked),
        "kl_sentences": _mean(by_sentence, counts[..., SENTENCES]),
    }
    if seed is not None:
        columns["low"], columns["high"] = bootstrap_interval(sums.values, reached.values, seed)
        columns["all_low"], columns["all_high"] = bootstrap_interval(sums.values, asked.values, seed)
    targets, trees = np.meshgrid(dataset["target"].values, dataset["tree"].values, indexing="ij")
    rows = pd.DataFrame({"target": targets.ravel(), "tree": trees.ravel()})
    return rows.assign(**{name: values.ravel() for name, values in columns.items()})


def trees_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per kind of tree: how many words have a parent, and where it stands."""
    sums = dataset["arcs"].sum("block").transpose("tree", "arc").values
    return pd.DataFrame(
        {
            "tree": dataset["tree"].values,
            "sentences": sums[:, COUNT].astype(int),
            "left_out": (sums[0, COUNT] - sums[:, COUNT]).astype(int),
            "words": sums[:, WORDS].astype(int),
            "parent_before": ratio(sums[:, BEFORE], sums[:, WORDS]),
            "arc_length": ratio(sums[:, LENGTH], sums[:, WORDS]),
        }
    )


def mean_kl(column: xr.Dataset) -> np.ndarray:
    """Divergence over the words whose target is seen, (head, target)."""
    return _mean(column["sums"][..., DIVERGENCE], column["counts"][..., REACHED])


def advantage(dataset: xr.Dataset) -> np.ndarray:
    """How much closer heads are to true trees than to swapped ones, as in `compare`: (head, target)."""
    column = dataset.sel(tree=SWAPPED)
    beside = column["beside"].sum("block").transpose("head", "target", ...).values
    false = _mean((column["sums"] - column["even"])[..., DIVERGENCE], column["counts"][..., REACHED])
    gap: np.ndarray = false - ratio(beside[..., 0] - beside[..., 2], beside[..., 1])
    return gap


def highest(advantages: Sequence[np.ndarray], like: np.ndarray) -> np.ndarray:
    """The highest of any head of any twin, (target,), NaN without any; advantages: (head, target) of each.

    >>> highest([np.array([[0.1, 0.4], [0.3, np.nan]]), np.array([[0.2, 0.0], [0.1, 0.1]])], np.zeros((2, 2)))
    array([0.3, 0.4])
    """
    none = np.full_like(like[:1], np.nan)
    top: np.ndarray = np.fmax.reduce(np.concatenate([none, *advantages]), axis=0)
    return top


def dataset_asked(dataset: xr.Dataset) -> np.ndarray:
    """Words that have a target, (block, target); the same for every head."""
    counts = dataset["counts"].sel(tree=TRUE_TREE)[..., ASKED].isel(head=0)
    asked: np.ndarray = counts.transpose("block", "target").values
    return asked


def _fit(dataset: xr.Dataset) -> tuple[np.ndarray, Fit]:
    """Nats below even attention, (block, head, target), and the choice of the best by halves."""
    true = dataset.sel(tree=TRUE_TREE)
    gains = (true["even"] - true["sums"])[..., DIVERGENCE].transpose("block", "head", "target").values
    return gains, cross_fit(gains, dataset_asked(dataset))


def _mean(top: xr.DataArray, bottom: xr.DataArray) -> np.ndarray:
    """The ratio of the sums over blocks."""
    return ratio(top.sum("block").values, bottom.sum("block").values)


def _of_layer(dataset: xr.Dataset, stack: str, layer: int) -> np.ndarray:
    """The places of a layer's heads."""
    return np.flatnonzero((dataset["stack"].values == stack) & (dataset["layer"].values == layer))


def _ratio(side: Side) -> np.ndarray:
    return ratio(side.totals.sum(0), side.counts.sum(0))


def _rows(dataset: xr.Dataset) -> pd.DataFrame:
    """The names of heads and targets, a row for each pair."""
    targets = dataset["target"].values
    names = {name: dataset[name].values.repeat(len(targets)) for name in HEAD}
    return pd.DataFrame({**names, "target": np.tile(targets, dataset.sizes["head"])})


def _of_twins(
    twins: Sequence[xr.Dataset], value: Callable[[xr.Dataset], np.ndarray], like: np.ndarray
) -> np.ndarray:
    """The mean over twins, NaN without any; like: an array of the same shape."""
    return np.mean([value(twin) for twin in twins], axis=0) if twins else np.full_like(like, np.nan)

"""The survey: surface, distances and gradients of every head put together, with roles and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.analysis import Analysis, Setting
from headscope.heads import Head
from headscope.questions.survey.rules import MIXED, assign, roles_in_order
from headscope.tallies import Tally

TARGETS_IN_HEADS = ("self", "previous", "next", "first")


def heads_dataset(
    analyses: Sequence[Analysis], merged: Mapping[str, Mapping[str, Tally]], setting: Setting
) -> xr.Dataset:
    """All arrays of the survey over one `head` axis, roles included."""
    parts = [analysis.arrays(merged[analysis.name], setting) for analysis in analyses]
    dataset = xr.merge(parts, combine_attrs="no_conflicts", join="exact", compat="equals")
    added = list(setting.model.kinds.added)
    causal = all(site.causal for site in setting.sites())
    dataset.attrs |= {"special": added, "closing": closing(setting), "causal": int(causal)}
    dataset["entropy_edge"] = dataset["entropy_last" if causal else "entropy_first"]
    dataset["entropy_edge"].attrs["edge"] = "last token" if causal else "first token"
    return dataset.merge(assign(dataset))


def closing(setting: Setting) -> list[str]:
    """The special tokens that part or close a text: those the tokenizer adds, but for the opening one."""
    tokenizer = setting.model.tokenizer
    opening = {getattr(tokenizer, name, None) for name in ("cls_token", "bos_token")}
    return [name for name in setting.model.kinds.added if name not in opening or name == tokenizer.eos_token]


def tables(dataset: xr.Dataset) -> dict[str, pd.DataFrame]:
    """Tidy tables: one row per head, or per head and what is beside it in the name."""
    found = {
        "heads": heads_table(dataset),
        "shares": _long(dataset, {"share": "share", "share_se": "se", "share_uniform": "uniform"}),
        "offsets": _long(dataset, {"offset": "share", "offset_se": "se", "offset_uniform": "uniform"}),
        "special": _long(dataset, {"special": "share", "special_se": "se", "special_uniform": "uniform"}),
        "counts": counts_table(dataset),
        "roles": roles_table(dataset),
    }
    if "gradient" in dataset:
        found["gradients"] = _long(dataset, {"gradient": "gradient", "gradient_se": "se"})
    if "divergence" in dataset:
        found["divergences"] = _pairs(dataset)
        found["layers"] = layers_table(dataset)
    return found


def heads_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head with its role and main numbers."""
    table = _labels(dataset)
    for name in ("role", "role_score", "role_rule", "name"):
        if name in dataset:
            table[name] = dataset[name].values
    targets = [*TARGETS_IN_HEADS, *dataset.attrs["special"], ". or ,", "all punctuation"]
    for target in targets:
        table[target] = dataset["share"].sel(target=target).values
    for name in ("entropy", "entropy_se", "entropy_uniform", "entropy_edge", "strongest"):
        table[name] = dataset[name].values
    if "cluster" in dataset:
        table["cluster"] = dataset["cluster"].values
        table["x"], table["y"] = dataset["position"].values.T
    return table


def counts_table(dataset: xr.Dataset) -> pd.DataFrame:
    """How many heads look at what more than half of the time, and in which layers (section 3.1)."""
    rows = []
    for target in dataset["target"].values:
        over = dataset["share"].sel(target=target).values > 0.5
        layers = dataset["layer"].values[over]
        listed = ", ".join(str(layer) for layer in layers)
        rows.append({"attention to": target, "heads over 50 %": int(over.sum()), "in layers": listed})
    return pd.DataFrame(rows)


def roles_table(dataset: xr.Dataset) -> pd.DataFrame:
    """How many heads have each role that occurs, the best example, its score, and the rule."""
    rows = []
    for role, says in roles_in_order():
        members = np.flatnonzero(dataset["role"].values == role)
        if not len(members):
            continue
        score = dataset["role_score"].values[members]
        best = None if role == MIXED else members[np.argmax(score)]
        rows.append(
            {
                "role": role,
                "heads": len(members),
                "best": "" if best is None else str(dataset["head"].values[best]),
                "score": np.nan if best is None else float(dataset["role_score"].values[best]),
                "rule": says,
            }
        )
    return pd.DataFrame(rows)


def layers_table(dataset: xr.Dataset) -> pd.DataFrame:
    """Are heads of one layer closer than chance, and how true is the map of heads?"""
    stacks = list(dict.fromkeys(dataset["stack"].values))
    names = {
        "within_layer": "divergence within layers",
        "between_layers": "across layers",
        "layer_p": "p",
        "stress": "map stress",
    }
    rows = [
        {"stack": stack, **{says: dataset.attrs[f"{name}_{stack}"] for name, says in names.items()}}
        for stack in stacks
    ]
    return pd.DataFrame(rows)


def _labels(dataset: xr.Dataset) -> pd.DataFrame:
    table = pd.DataFrame({name: dataset[name].values for name in ("head", "stack", "layer", "index")})
    table["one_based"] = [
        Head(stack, layer, index).one_based()
        for stack, layer, index in zip(table["stack"], table["layer"], table["index"], strict=True)
    ]
    return table


def _long(dataset: xr.Dataset, columns: dict[str, str]) -> pd.DataFrame:
    """Arrays over the same axes as one table, a row per cell, without the labels of the head repeated."""
    chosen = dataset[list(columns)].rename(columns)
    return chosen.drop_vars(("stack", "layer", "index")).to_dataframe().reset_index()


def _pairs(dataset: xr.Dataset) -> pd.DataFrame:
    """Divergence of each pair of heads once, of pairs that share queries and keys."""
    first, second = np.triu_indices(dataset.sizes["head"], 1)
    names = dataset["head"].values
    table = pd.DataFrame(
        {
            "head": names[first],
            "other": names[second],
            "divergence": dataset["divergence"].values[first, second],
        }
    )
    return table.dropna(ignore_index=True)

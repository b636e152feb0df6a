"""The survey: surface, distances and gradients of every head put together, with roles and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.heads import Head
from headscope.questions.survey.behind import first_is_sink
from headscope.questions.survey.block_sums import joined
from headscope.questions.survey.causal_tables import causal_columns, causal_tables
from headscope.questions.survey.rules import assign, by_role
from headscope.results.vocabulary import MIXED

TARGETS_IN_HEADS = ("self", "previous", "next", "first")


def heads_dataset(analyses: Sequence[xr.Dataset], setting: Setting) -> xr.Dataset:
    """The arrays of all analyses over one `head` axis, roles included."""
    dataset = xr.merge(joined(analyses), combine_attrs="no_conflicts", join="exact", compat="equals")
    added = list(setting.model.kinds.added)
    causal = all(site.causal for site in setting.sites())
    dataset.attrs |= {"special": added, "closing": closing(setting), "causal": int(causal)}
    dataset["first_is_sink"] = first_is_sink(dataset)
    dataset["entropy_edge"] = dataset["entropy_last" if causal else "entropy_first"]
    dataset["entropy_edge"].attrs["edge"] = "last token" if causal else "first token"
    return dataset.merge(assign(dataset))


def closing(setting: Setting) -> list[str]:
    """The special tokens that part or close a text: those the tokenizer adds, but for the opening one."""
    tokenizer = setting.model.tokenizer
    opening = {getattr(tokenizer, name, None) for name in ("cls_token", "bos_token")}
    return [name for name in setting.model.kinds.added if name not in opening or name == tokenizer.eos_token]


def make_tables(dataset: xr.Dataset) -> dict[str, pd.DataFrame]:
    """Tidy tables: one row per head, or per head and what is beside it in the name."""
    tables = {
        "heads": heads_table(dataset),
        "shares": _long(dataset, "share", "share"),
        "offsets": _long(dataset, "offset", "share"),
        "special": _long(dataset, "special", "share"),
        "counts": counts_table(dataset),
        "roles": roles_table(dataset),
    }
    if "gradient" in dataset:
        tables["gradients"] = _long(dataset, "gradient", "gradient")
    if "divergence" in dataset:
        tables["divergences"] = _pairs(dataset)
        tables["layers"] = layers_table(dataset)
    return tables | causal_tables(dataset)


def heads_table(dataset: xr.Dataset) -> pd.DataFrame:
    """One row per head with its role and main numbers."""
    table = pd.DataFrame({name: dataset[name].values for name in ("head", "stack", "layer", "index")})
    places = table[["stack", "layer", "index"]].itertuples(index=False)
    table["one_based"] = [Head(*place).one_based() for place in places]
    for name in ("role", "role_score", "role_uniform", "role_rule", "name"):
        if name in dataset:
            table[name] = dataset[name].values
    targets = [*TARGETS_IN_HEADS, *dataset.attrs["special"], ". or ,", "all punctuation"]
    for target in targets:
        table[target] = dataset["share"].sel(target=target).values
    for name in ("first_is_sink", "entropy", "entropy_se", "entropy_uniform", "entropy_edge", "strongest"):
        table[name] = dataset[name].values
    for name, values in causal_columns(dataset).items():
        table[name] = values
    if "cluster" in dataset:
        table["cluster"] = dataset["cluster"].values
        table["x"], table["y"] = dataset["position"].values.T
    return table


def counts_table(dataset: xr.Dataset) -> pd.DataFrame:
    """How many heads look at what more than half of the time, and in which layers (section 3.1)."""
    rows = []
    for target in dataset["target"].values:
        over = dataset["share"].sel(target=target).values > 0.5
        layers = Counter(dataset["layer"].values[over].tolist())
        listed = ", ".join(f"{layer} x{count}" for layer, count in sorted(layers.items()))
        rows.append({"attention to": target, "heads over 50 %": int(over.sum()), "in layers": listed})
    return pd.DataFrame(rows)


def roles_table(dataset: xr.Dataset) -> pd.DataFrame:
    """How many heads have each role that occurs, the best example, its score, and the rule."""
    rows = []
    for role, rule, members in by_role(dataset[["role", "role_score", "role_uniform"]]):
        first, heads = members.isel(head=0), members.sizes["head"]
        rows.append(
            {
                "role": role,
                "heads": heads,
                "share": heads / dataset.sizes["head"],
                "best": "" if role == MIXED else str(first["head"].values),
                "score": float(first["role_score"]),
                "uniform": float(first["role_uniform"]),
                "rule": rule,
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


def _long(dataset: xr.Dataset, name: str, value: str) -> pd.DataFrame:
    """A measure with what stands beside it, a row per cell, without the labels of the head repeated."""
    columns = {name: value, f"{name}_se": "se", f"{name}_uniform": "uniform"}
    columns |= {f"{name}_behind{suffix}": f"behind{suffix}" for suffix in ("", "_se", "_uniform")}
    columns = {array: column for array, column in columns.items() if array in dataset}
    measure = dataset[list(columns)].rename(columns)
    return measure.drop_vars(("stack", "layer", "index")).to_dataframe().reset_index()


def _pairs(dataset: xr.Dataset) -> pd.DataFrame:
    """Divergence of each pair of heads once, of pairs that share queries and keys; its error, of sampling."""
    first, second = np.triu_indices(dataset.sizes["head"], 1)
    names = dataset["head"].values
    table = pd.DataFrame({"first": names[first], "second": names[second]})
    table["divergence"] = dataset["divergence"].values[first, second]
    is_sampled = "divergence_error" in dataset
    table["error"] = dataset["divergence_error"].values[first, second] if is_sampled else 0.0
    return table.dropna(subset="divergence", ignore_index=True)

"""Tables that only surveys of causal models have: patterns, what heads do behind the first token, sinks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from headscope.measures.patterns import SINK_ABOVE, SINK_PIECES
from headscope.questions.survey.laid import OUTSIDE, SINK
from headscope.questions.survey.rules import by_role
from headscope.questions.survey.scores import OF_MADE
from headscope.results.vocabulary import INDUCTION, MIXED

OF_HEADS = (
    "otherwise", "otherwise_score", "otherwise_uniform", "otherwise_rule", "copying", "copying_se",
    "copying_chance", "first_taken", "first_taken_se", "first_taken_uniform",
)  # fmt: skip
"""Arrays that are columns of the table of heads."""


def causal_columns(dataset: xr.Dataset) -> dict[str, np.ndarray]:
    """What the table of heads has more, (head,) each; nothing for other models."""
    columns = {name: dataset[name].values for name in OF_HEADS if name in dataset}
    if "made" in dataset:
        columns |= {name: dataset["made"].sel(made_pattern=own).values for name, own in OF_MADE.items()}
    if "running" in dataset:
        columns |= {name: dataset["running"].sel(running_pattern=name).values for name in (SINK, OUTSIDE)}
    return columns


def causal_tables(dataset: xr.Dataset) -> dict[str, pd.DataFrame]:
    """The tables of a causal model; none for others."""
    if "running" not in dataset:
        return {}
    kinds = [kind for kind in ("made", "running") if kind in dataset]
    tables = {"patterns": pd.concat([_patterns(dataset, kind) for kind in kinds], ignore_index=True)}
    if "made" in dataset:
        tables["induction"] = induction_table(dataset)
    return tables | {"behind": behind_table(dataset), "sinks": sinks_table(dataset)}


def _patterns(dataset: xr.Dataset, kind: str) -> pd.DataFrame:
    """One row per head and pattern of made or running text, without what this text has nothing of."""
    columns = ways(kind)
    arrays = dataset[list(columns)].rename({**columns, f"{kind}_pattern": "pattern"})
    table = arrays.drop_vars(("stack", "layer", "index")).to_dataframe().reset_index()
    table.insert(1, "text", kind)
    return table.dropna(subset=["share", "behind"], how="all", ignore_index=True)


def ways(kind: str) -> dict[str, str]:
    """The columns for each array of a kind of text.

    >>> ways("made")["made_behind_se"]
    'behind_se'
    """
    own = {kind: "share", f"{kind}_se": "se", f"{kind}_uniform": "uniform"}
    return own | {f"{kind}_behind{suffix}": f"behind{suffix}" for suffix in ("", "_se", "_uniform")}


def behind_table(dataset: xr.Dataset) -> pd.DataFrame:
    """How many heads that rest on the first token have each role otherwise, and which most clearly."""
    names = {"otherwise": "role", "otherwise_score": "role_score", "otherwise_uniform": "role_uniform"}
    resting = dataset[list(names)].rename(names)
    resting = resting.isel(head=np.flatnonzero(resting["role"].values != ""))
    rows = [
        {
            "role": role,
            "heads": members.sizes["head"],
            "share": members.sizes["head"] / resting.sizes["head"],
            "best": "" if role == MIXED else str(members["head"].values[0]),
            "score": float(members["role_score"][0]),
            "uniform": float(members["role_uniform"][0]),
            "rule": rule,
        }
        for role, rule, members in by_role(resting)
    ]
    return pd.DataFrame(rows, columns=["role", "heads", "share", "best", "score", "uniform", "rule"])


def induction_table(dataset: xr.Dataset) -> pd.DataFrame:
    """The heads that have the role induction, behind the first token or not, the clearest first."""
    scores = dataset.sel(made_pattern="induction")
    table = pd.DataFrame({name: dataset[name].values for name in ("head", "role", "otherwise")})
    for array, column in ways("made").items():
        table[column] = scores[array].values
    if "copying" in dataset:
        table["copying"] = dataset["copying"].values
    named = (table["role"] == INDUCTION) | (table["otherwise"] == INDUCTION)
    return table[named].sort_values("share", ascending=False, kind="stable", ignore_index=True)


def sinks_table(dataset: xr.Dataset) -> pd.DataFrame:
    """How many heads are sinks as Gu et al. 2024 count them; no segment may be long enough to tell."""
    sink = dataset["running"].sel(running_pattern=SINK).values
    above, measured = sink > SINK_ABOVE, ~np.isnan(sink)
    share = above.sum() / measured.sum() if measured.any() else np.nan
    row = {"pieces": SINK_PIECES, "above": SINK_ABOVE, "heads": int(above.sum()), "share": share}
    first = dataset["share"].sel(target="first").values
    row["first"] = first[above].mean() if above.any() else np.nan
    if "first_taken" in dataset:
        row["taken"] = dataset["first_taken"].values[above].mean() if above.any() else np.nan
    return pd.DataFrame([row])

"""Example maps of a few heads with telling roles, for figure 1."""

from __future__ import annotations

import numpy as np
import xarray as xr

from headscope.heads import Head
from headscope.questions.survey.rules import roles_in_order
from headscope.results.look import Look

HEADS = 4
"""How many heads are shown."""


def examples(look: Look, dataset: xr.Dataset) -> xr.Dataset:
    """Maps (example, query, key) of up to four heads with different roles, on one short sentence."""
    part = look.parts[0]
    chosen = telling_heads(dataset.isel(head=np.flatnonzero(dataset["stack"].values == part.stack)))
    heads = [Head(part.stack, int(row["layer"]), int(row["index"])) for row in chosen]
    return xr.Dataset(
        {
            "weights": (
                ("example", "query", "key"),
                np.stack([look.map(head, words=False).weights for head in heads]).astype(np.float32),
            )
        },
        coords={
            "token": ("query", part.query.pieces),
            "head": ("example", [str(head) for head in heads]),
            "role": ("example", [str(row["role"].values) for row in chosen]),
        },
    )


def telling_heads(dataset: xr.Dataset) -> list[xr.Dataset]:
    """The clearest head of each role, in the order of the rules, at most four."""
    found = []
    for role, _ in roles_in_order():
        members = dataset.isel(head=np.flatnonzero(dataset["role"].values == role))
        if members.sizes["head"]:
            best = int(np.argmax(np.nan_to_num(members["role_score"].values)))
            found.append(members.isel(head=best))
    return found[:HEADS]

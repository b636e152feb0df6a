"""Example maps of a few heads with telling roles, for figure 1."""

from __future__ import annotations

from itertools import islice

import numpy as np
import xarray as xr

from headscope.heads import Head
from headscope.questions.survey.rules import by_role
from headscope.results.look import Look

HEADS = 4
"""How many heads are shown."""


def examples(look: Look, dataset: xr.Dataset) -> xr.Dataset:
    """Maps (example, query, key) of the clearest head of each of up to four roles, on one short sentence."""
    first = look.stacks[0]
    stack = dataset.isel(head=np.flatnonzero(dataset["stack"].values == first.stack))
    telling = [members.isel(head=0) for _, _, members in islice(by_role(stack), HEADS)]
    heads = [Head(first.stack, int(row["layer"]), int(row["index"])) for row in telling]
    return xr.Dataset(
        {
            "weights": (
                ("example", "query", "key"),
                np.stack([look.map(head, words=False).weights for head in heads]).astype(np.float32),
            )
        },
        coords={
            "token": ("query", first.query.pieces),
            "head": ("example", [str(head) for head in heads]),
            "role": ("example", [str(row["role"].values) for row in telling]),
        },
    )

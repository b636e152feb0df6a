"""Example maps of a few heads with telling roles, for figure 1."""

from __future__ import annotations

import numpy as np
import torch
import xarray as xr

from headscope.analyses.rules import roles_in_order
from headscope.attention import Recorder
from headscope.engine.work import Plan
from headscope.heads import Head
from headscope.models import sides_of
from headscope.text import Corpus, Segment, batches, piece_label

HEADS, LONGEST, TRIED = 4, 15, 32
"""How many heads are shown, on how many pieces at most, chosen from how many segments."""


def examples(plan: Plan, corpus: Corpus, dataset: xr.Dataset) -> xr.Dataset:
    """Maps (example, query, key) of up to four heads with different roles, on one short segment."""
    stack = str(dataset["stack"].values[0])
    chosen = telling_heads(dataset.isel(head=np.flatnonzero(dataset["stack"].values == stack)))
    model = plan.setting.model
    segment = _segment(plan, corpus)
    recorder = Recorder()
    batch = next(iter(batches([segment], model.tokenizer, 1, model.device)))
    sides = sides_of(model, batch)
    with torch.no_grad(), model.attached([recorder]) as module:
        module(**sides.inputs)
    maps = {site: weights[0][0].float().numpy() for site, weights in recorder.maps.items()}
    heads = [Head(stack, int(row["layer"]), int(row["index"])) for row in chosen]  # type: ignore[arg-type]
    by_layer = {(site.stack, site.layer): one for site, one in maps.items()}
    tokens = [piece_label(model.tokenizer, int(piece)) for piece in segment.pieces]
    return xr.Dataset(
        {
            "weights": (
                ("example", "query", "key"),
                np.stack([by_layer[h.stack, h.layer][h.index] for h in heads]),
            )
        },
        coords={
            "token": ("query", tokens),
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


def _segment(plan: Plan, corpus: Corpus) -> Segment:
    """A segment short enough to draw, the longest of the first few."""
    limit = min(plan.pieces, LONGEST)
    first = []
    for document in corpus:
        parts = plan.cutter(document, plan.setting.model.tokenizer, limit)
        first += [part for part in parts if isinstance(part, Segment)]
        if len(first) >= TRIED:
            break
    return max(first, key=len)

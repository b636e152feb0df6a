"""The published algorithm of papers/004, written anew from a description of it, to be timed against.

As there: the maps of all segments lie in memory in float16; figure 2 is a loop over segments and keys
with one selector matrix each; entropy and the distances between heads are loops in float16, with the
smoothing of all maps computed again for every head. `distances_float32` is what a careful numpy
programmer would make of the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from headscope.models import Model
from headscope.text import Segment

WIDTH = 128
"""Every segment is padded to this many pieces before the model sees it."""


def extract(model: Model, segments: Sequence[Segment], batch_size: int = 16) -> list[np.ndarray]:
    """Maps of each segment, (layer, head, query, key) in float16, padding cut off."""
    kept: list[np.ndarray] = []
    for start in range(0, len(segments), batch_size):
        some = segments[start : start + batch_size]
        ids = np.zeros((len(some), WIDTH), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, segment in enumerate(some):
            ids[row, : len(segment)] = segment.pieces
            mask[row, : len(segment)] = 1
        maps = _maps(model.backbone, torch.from_numpy(ids), torch.from_numpy(mask))
        kept += [maps[row, :, :, : len(one), : len(one)] for row, one in enumerate(some)]
    return kept


def _maps(module: Any, ids: torch.Tensor, mask: torch.Tensor) -> np.ndarray:
    """(batch, layer, head, query, key) from the model's own eager attention."""
    before = module.config._attn_implementation
    module.set_attn_implementation("eager")
    try:
        with torch.no_grad():
            found = module(input_ids=ids, attention_mask=mask, output_attentions=True).attentions
    finally:
        module.set_attn_implementation(before)
    return np.stack([weights.numpy().astype(np.float16) for weights in found], axis=1)


def average_attention(maps: Sequence[np.ndarray], pieces: Sequence[Sequence[str]]) -> dict[str, np.ndarray]:
    """Figure 2: mean attention to each kind of key, (layer, head), the mean over segments of equal weight."""
    averages: dict[str, np.ndarray] = {}
    for attention, names in zip(maps, pieces, strict=True):
        for key, (selector, queries) in _selectors(names).items():
            share = (attention * selector[None, None]).sum(-1).sum(-1) / queries
            averages[key] = averages.get(key, 0.0) + share / len(maps)
    return averages


def _selectors(names: Sequence[str]) -> dict[str, tuple[np.ndarray, int]]:
    """For each kind of key a matrix (query, key) that picks its weights, and what their sum is divided by."""
    size = len(names)
    is_sep = np.array([name == "[SEP]" for name in names])
    every = np.ones(size)
    columns = {
        "[SEP]": is_sep,
        "[CLS]": np.array([name == "[CLS]" for name in names]),
        ". or ,": np.array([name in {".", ","} for name in names]),
    }
    return {
        "self": (np.eye(size), size),
        "next": (np.eye(size, k=1), size),
        "previous": (np.eye(size, k=-1), size),
        **{name: (np.outer(every, column), size) for name, column in columns.items()},
        "[SEP] to [SEP]": (np.outer(is_sep, is_sep).astype(float), 2),
        "rest to [SEP]": (np.outer(~is_sep, is_sep).astype(float), size - 2),
    }


def entropies(maps: Sequence[np.ndarray]) -> np.ndarray:
    """Figure 4: mean entropy of the queries, (layer, head), in float16 as published."""
    total = np.zeros(maps[0].shape[:2])
    for attention in maps:
        smooth = np.float16(0.9999) * attention + np.float16(0.0001 / attention.shape[-1])
        total += -(smooth * np.log(smooth)).sum(-1).mean(-1)
    return total / len(maps)


def distances(maps: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Figure 6: Jensen-Shannon divergence between heads, summed over queries, (head, head) per segment."""
    return [_distances_of(attention) for attention in maps]


def _distances_of(attention: np.ndarray) -> np.ndarray:
    flat = attention.reshape(-1, *attention.shape[2:])
    found = np.zeros((len(flat), len(flat)))
    for head in range(len(flat)):
        smooth = np.float16(0.001 / flat.shape[-1]) + np.float16(0.999) * flat
        one = smooth[head][None]
        middle = (smooth + one) / np.float16(2)
        each = -smooth * np.log(middle / smooth) - one * np.log(middle / one)
        found[head] += (each / np.float16(2)).sum(-1).sum(-1)
    return found


def distances_float32(maps: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same in float32, without the waste: smoothed once, p log p once per head, each pair once."""
    return [_distances_float32_of(attention.astype(np.float32)) for attention in maps]


def _distances_float32_of(attention: np.ndarray) -> np.ndarray:
    flat = attention.reshape(-1, *attention.shape[2:])
    smooth = np.float32(0.001 / flat.shape[-1]) + np.float32(0.999) * flat
    own = (smooth * np.log(smooth)).sum((1, 2))
    found = np.zeros((len(flat), len(flat)))
    for head in range(len(flat) - 1):
        middle = (smooth[head + 1 :] + smooth[head]) / 2
        mixed = (middle * np.log(middle)).sum((1, 2))
        found[head, head + 1 :] = (own[head] + own[head + 1 :]) / 2 - mixed
    return found + found.T

"""The published algorithm of Clark et al. 2019, written anew from a description of it, to be timed against.

As there: the maps of all segments lie in memory in float16; figure 2 is a loop over segments and keys
with one selector matrix each; entropy and the distances between heads are loops in float16, with the
smoothing of all maps computed again for every head. `distances_float32` is that last loop in float32
with the smoothing done once. Unlike there, the second span of a segment keeps its token type, so that
both algorithms see the same maps and their numbers can be compared.
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
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for row, segment in enumerate(some):
            ids[row, : len(segment)] = segment.pieces
            types[row, : len(segment)] = 0 if segment.types is None else segment.types
            mask[row, : len(segment)] = 1
        maps = _maps(model.backbone, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types})
        kept += [maps[row, :, :, : len(one), : len(one)] for row, one in enumerate(some)]
    return kept


def _maps(module: Any, inputs: dict[str, np.ndarray]) -> np.ndarray:
    """(batch, layer, head, query, key) from the model's own eager attention."""
    before = module.config._attn_implementation
    module.set_attn_implementation("eager")
    tensors = {name: torch.from_numpy(array) for name, array in inputs.items()}
    try:
        with torch.no_grad():
            found = module(**tensors, output_attentions=True).attentions
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
        found[head] = _divergences(smooth, smooth[head])
    return found


def distances_float32(maps: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same loop in float32, the smoothing done once per segment."""
    return [_distances_float32_of(attention.astype(np.float32)) for attention in maps]


def _distances_float32_of(attention: np.ndarray) -> np.ndarray:
    flat = attention.reshape(-1, *attention.shape[2:])
    smooth = np.float32(0.001 / flat.shape[-1]) + np.float32(0.999) * flat
    found = np.zeros((len(flat), len(flat)))
    for head in range(len(flat)):
        found[head] = _divergences(smooth, smooth[head])
    return found


def _divergences(all_heads: np.ndarray, one: np.ndarray) -> np.ndarray:
    """Divergence of each head (head, query, key) from one (query, key), summed over queries."""
    half = all_heads.dtype.type(0.5)
    middle = (all_heads + one) * half
    each = -all_heads * np.log(middle / all_heads) - one * np.log(middle / one)
    summed: np.ndarray = (each * half).sum(-1).sum(-1)
    return summed

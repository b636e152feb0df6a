"""The same sums as `surface` and `information`, compiled for the CPU.

One logarithm per weight (per pair of weights for divergences) dominates the cost, so it is a polynomial
on the bits of the float that the compiler turns into vector instructions: log2(x) = e + m P(m), where x
= 2^e (1 + m). Its largest error is 3.1e-7. Work is cut the same way whatever the number of threads, and
every partial sum has a place of its own, so results do not depend on the threads.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from headscope.measures.surface import OFFSETS, REACH, Lengths, SurfaceSums
from headscope.measures.threads import on_threads

LN2 = math.log(2.0)

# Minimax fit of log2(1 + m) / m on [0, 1), degree 6, by iteratively reweighted least squares;
# tests/measures/test_compiled.py measures its error.
_COEFFICIENTS = (
    1.442667841911316,
    -0.7205854654312134,
    0.4735534191131592,
    -0.32590195536613464,
    0.1942943036556244,
    -0.07955770939588547,
    0.01552991196513176,
)
_C0, _C1, _C2, _C3, _C4, _C5, _C6 = (np.float32(value) for value in _COEFFICIENTS)
_ONE = np.float32(1)

_SHARES = 8
"""How many threads at most share a segment's divergences."""

_CACHE_BYTES = 2**18
"""How much of all heads' maps is worked on at a time; fits a core's second-level cache."""


@njit(fastmath=True, inline="always")
def _times_log2(x: Any) -> Any:
    """x log2 x for a float32 x >= 0; 0 for 0."""
    bits = np.float32(x).view(np.int32)
    exponent = np.float32((bits >> 23) - 127)
    m = np.int32((bits & 0x7FFFFF) | 0x3F800000).view(np.float32) - _ONE
    p = ((((((_C6 * m + _C5) * m + _C4) * m + _C3) * m + _C2) * m + _C1) * m + _C0) * m
    return x * (exponent + p)


# The three sums below run over slices from 0 and are kept apart: so written, the compiler vectorises them.
# They are put into their callers, since functions of their own are compiled twice, and round in two ways.


@njit(fastmath=True, inline="always")
def _spread(row: Any) -> Any:
    """Entropy in bits, and mass, of some weights."""
    spread, mass = np.float32(0), np.float32(0)
    for k in range(len(row)):
        spread -= _times_log2(row[k])
        mass += row[k]
    return spread, mass


@njit(fastmath=True, inline="always")
def _largest(row: Any) -> Any:
    most = np.float32(0)
    for k in range(len(row)):
        most = max(most, row[k])
    return most


@njit(fastmath=True, inline="always")
def _pair_sum(first: Any, second: Any) -> Any:
    """Sum of s log2 s with s = first + second."""
    total = np.float32(0)
    for k in range(len(first)):
        total += _times_log2(first[k] + second[k])
    return total


@njit(fastmath=True, nogil=True, cache=True)
def _add_divergences(maps: Any, block: int, out: Any, first: int, last: int) -> None:
    """Add to some of out (share, head, head) the sums over elements that make up the divergences.

    maps: (head, element) float32; elements are query-key pairs, in any order.
    """
    heads, elements = maps.shape
    blocks = (elements + block - 1) // block
    for share in range(first, last):
        own = np.zeros(heads, dtype=np.float32)
        for number in range(share, blocks, out.shape[0]):
            start = number * block
            stop = min(start + block, elements)
            for i in range(heads):
                spread, mass = _spread(maps[i, start:stop])
                own[i] = mass - spread
            for i in range(heads):
                for j in range(i + 1, heads):
                    out[share, i, j] += own[i] + own[j] - _pair_sum(maps[i, start:stop], maps[j, start:stop])


def divergences(maps: np.ndarray) -> np.ndarray:
    """Jensen-Shannon divergence between all pairs of heads, summed over queries, in nats.

    maps: (head, query, key) float32. With s = p + q: 2 JS / ln 2 = sum p log2 p + q log2 q - s log2 s + s,
    so each pair of weights costs one logarithm. Returns (head, head), float64.
    """
    heads = len(maps)
    block = max(64, min(1024, _CACHE_BYTES // (4 * heads)) // 16 * 16)
    shares = np.zeros((_SHARES, heads, heads))
    flat = maps.reshape(heads, -1)
    on_threads(lambda first, last: _add_divergences(flat, block, shares, first, last), _SHARES)
    upper = shares.sum(0) * (LN2 / 2)
    return np.maximum(upper + upper.T, 0)


@njit(fastmath=True, nogil=True, cache=True)
def _add_surface(
    weights: Any, rows: Any, query_lengths: Any, key_lengths: Any, query_kinds: Any, key_kinds: Any,
    marked: Any, marks: Any, offsets: Any, later: Any, left: Any, flow: Any, first: Any, entropy: Any,
    strongest: Any, edges: Any, start: int, stop: int,
) -> None:  # fmt: skip
    """Fill the sums of some heads of the batch, which are numbered through.

    marked (batch, mark) are the key positions whose kind is not the last one.
    """
    heads = weights.shape[1]
    reach = offsets.shape[2] // 2
    plain = flow.shape[2] - 1
    for item in range(start, stop):
        b, h = item // heads, item % heads
        keys = key_lengths[b]
        for r in range(len(rows)):
            query = rows[r]
            if query >= query_lengths[b]:
                continue
            row = weights[b, h, r, :keys]
            spread, total = _spread(row)
            rest = total - row[0]
            kind = query_kinds[b, query]
            for mark in range(marks[b]):
                weight = row[marked[b, mark]]
                flow[b, h, kind, key_kinds[b, marked[b, mark]]] += weight
                total -= weight
            flow[b, h, kind, plain] += total
            for o in range(max(-reach, -query), min(reach, keys - 1 - query) + 1):
                offsets[b, h, o + reach] += row[query + o]
                if query + o > 0:
                    later[b, h, o + reach] += row[query + o]
                    left[b, h, o + reach] += rest
            first[b, h] += row[0]
            entropy[b, h] += spread
            strongest[b, h] += _largest(row)
            if query == 0:
                edges[b, h, 0] += spread
            if query == query_lengths[b] - 1:
                edges[b, h, 1] += spread


def surface_sums(weights: np.ndarray, rows: np.ndarray, lengths: Lengths) -> SurfaceSums:
    """`surface.surface_sums` for float32 weights (batch, head, row, key) in the memory of the CPU."""
    batch, heads = weights.shape[:2]
    sums = SurfaceSums.zeros(batch, heads, lengths.kinds)
    marked, marks = _marked_keys(lengths)
    given = (
        np.ascontiguousarray(weights), rows, lengths.query, lengths.key, lengths.query_kinds,
        lengths.key_kinds, marked, marks, *sums.arrays(),
    )  # fmt: skip
    on_threads(lambda start, stop: _add_surface(*given, start, stop), batch * heads)
    sums.entropy *= LN2
    sums.edges *= LN2
    return sums


def _marked_keys(lengths: Lengths) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the keys that are not of the last kind, first in each row; and how many they are."""
    positions = np.arange(lengths.key_kinds.shape[1])
    is_marked = (lengths.key_kinds != lengths.kinds - 1) & (positions < lengths.key[:, None])
    return np.argsort(~is_marked, axis=1, kind="stable"), is_marked.sum(1)


assert len(OFFSETS) == 2 * REACH + 1

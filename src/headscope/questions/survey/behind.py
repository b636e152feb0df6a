"""Offsets and kinds without the first token: shares of what a head does not leave on it.

Many heads rest on the first token of a text. Where it lies near, that would count as a distance, and as
punctuation where texts open with a mark. A share is the attention on its targets behind the first token, over
what the same queries do not leave on that; previous, next and offsets count pairs whose key it is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from headscope.measures.patterns import SINK_ABOVE
from headscope.measures.surface import OFFSETS, Lengths, QueryCounts, SurfaceSums

LEAST = 0.01
"""Of a head that leaves less outside of the first token, nothing is told behind it."""

TIMES_EVEN = 2.0
OPENING = "opening"


def first_is_sink(dataset: xr.Dataset) -> xr.DataArray:
    """Whether the first token is a sink of each head, (head,).

    It gets what a sink does in Gu et al. 2024, and twice what is even, which is much in short texts. Where a
    mask tells what each piece sees, heads have no first token in common, and none is a sink.
    """
    first, even = (dataset[name].sel(target="first", drop=True) for name in ("share", "share_uniform"))
    return (first > SINK_ABOVE) & (first >= TIMES_EVEN * even) & dataset[OPENING].notnull()


class MeasuresBehind:
    """What is measured behind the first token: each offset and each group of kinds.

    And, of all attention, how much is on a first token that is a mark.

    members: (group, kind), which kinds are in each group. marks: the group of all punctuation.
    """

    def __init__(self, groups: Sequence[str], members: np.ndarray, marks: str) -> None:
        self.names = [
            *(f"offset:{offset}" for offset in OFFSETS),
            *(f"to:{name}" for name in groups),
            OPENING,
        ]
        self._members, self._marks = members, list(groups).index(marks)

    def values(
        self, sums: SurfaceSums, counts: QueryCounts, lengths: Lengths
    ) -> tuple[np.ndarray, np.ndarray]:
        """Shares per segment, and which of them are defined, both (segment, head, measure)."""
        in_groups = self._members[:, lengths.key_kinds[:, 0]].T[:, None]  # (segment, 1, group)
        on_first = in_groups * sums.first[..., None]
        to_groups = sums.flow.sum(2) @ self._members.T
        left = (sums.flow.sum((2, 3)) - sums.first)[..., None]
        queries = counts.kinds.sum(1)[:, None, None]
        top = np.concatenate([sums.later, to_groups - on_first, on_first[..., [self._marks]]], -1)
        below = [sums.left, np.broadcast_to(left, to_groups.shape), np.broadcast_to(queries, left.shape)]
        pairs = np.broadcast_to(counts.later[:, None], sums.left.shape)
        count = [pairs, *(np.broadcast_to(queries, array.shape) for array in below[1:])]
        divisor, many = np.concatenate(below, -1), np.concatenate(count, -1)
        valid = (many > 0) & (divisor >= LEAST * many)
        return top / np.where(valid, divisor, 1.0), valid

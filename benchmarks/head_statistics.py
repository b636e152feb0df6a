"""Statistics of heads by plain numpy, as one writes them who has the maps: what surveys are compared with.

It imports nothing of headscope, so that it also runs in environments that hold another tool alone.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

OFFSETS = tuple(range(-8, 9))
ENTROPY, FIRST, SPECIAL = 0, 1, 2
BY_OFFSET = slice(3, 3 + len(OFFSETS))
"""Places of the statistics: nats, then mean weights on the first piece, on special pieces, and at offsets."""


def statistics_of(maps: np.ndarray, special: np.ndarray | None = None, first_query: int = 0) -> np.ndarray:
    """Means over the queries of a segment, (layer, head, statistic), of maps (layer, head, query, key).

    special: (key,) bool. first_query: which piece the first row is of. Offsets are means over the pairs there
    are, 0 where there is none.

    >>> even = np.full((1, 1, 2, 2), 0.5)
    >>> found = statistics_of(even, np.array([True, False]))[0, 0]
    >>> found[[ENTROPY, FIRST, SPECIAL]].round(2).tolist(), found[BY_OFFSET][7:10].tolist()
    ([0.69, 0.5, 0.5], [0.5, 0.5, 0.5])
    """
    seen = maps > 0
    logs = np.log(maps, out=np.zeros_like(maps), where=seen)
    to_special = 0 * maps[..., 0] if special is None else maps[..., special].sum(-1)
    by_query = [-(maps * logs).sum(-1), maps[..., 0], to_special]
    diagonals = [np.diagonal(maps, offset + first_query, 2, 3) for offset in OFFSETS]
    by_offset = [one.mean(-1) if one.shape[-1] else np.zeros(maps.shape[:2]) for one in diagonals]
    return np.stack([*(one.mean(-1) for one in by_query), *by_offset], -1)


def mean_of(found: Iterable[np.ndarray]) -> np.ndarray:
    """The mean over segments of equal weight; each is forgotten as soon as it is added."""
    total, count = 0.0, 0
    for one in found:
        total, count = total + one.astype(float), count + 1
    return np.asarray(total) / count

"""What even attention gives, beside what heads do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headscope.tallies import ClusterMeans

Values = tuple[np.ndarray, np.ndarray]
"""Numbers, and which of them are defined, both (segment, head, measure)."""


def beside_even(own: Sequence[Values], even: Sequence[Values]) -> Values:
    """The heads of all sites, and as many items behind them: even attention in the segments of each head.

    A mean over some segments stands beside what is even in the same ones. own: of each site's heads. even: of
    each site, with one head.

    >>> own = np.array([[[0.5], [0.0]]]), np.array([[[True], [False]]])
    >>> values, valid = beside_even([own], [(np.array([[[0.25]]]), np.array([[[True]]]))])
    >>> values[0, :, 0].tolist(), valid[0, :, 0].tolist()
    ([0.5, 0.0, 0.25, 0.25], [True, False, True, False])
    """
    heads = [values.shape[1] for values, _ in own]
    values, valid = (np.concatenate(arrays, axis=1) for arrays in zip(*own, strict=True))
    beside = [np.repeat(np.concatenate(arrays, axis=1), heads, 1) for arrays in zip(*even, strict=True)]
    return np.concatenate([values, beside[0]], axis=1), np.concatenate([valid, valid & beside[1]], axis=1)


def versions_of(tally: ClusterMeans, heads: int, even: Sequence[int] | None = None) -> dict[str, np.ndarray]:
    """Means of heads, their standard errors, and what even attention gives, (head, measure) each.

    The tally has the heads first, and behind them even attention: of each head, or of others (`even`, which
    of them is beside each head).
    """
    means, beside = tally.means(), slice(None) if even is None else even
    return {"": means[:heads], "_se": tally.standard_errors()[:heads], "_uniform": means[heads:][beside]}

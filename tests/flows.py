"""Largest flows by two other libraries."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from benchmarks.flows import by_networkx

__all__ = ["by_networkx", "by_scipy"]

UNITS = 10**9


def by_scipy(steps: np.ndarray, source: int) -> np.ndarray:
    """Flows (piece,) from a piece at the top of maps (layer, query, key), in whole numbers."""
    layers, pieces, _ = steps.shape
    layer, query, key = np.nonzero(steps)
    capacities = np.round(steps[layer, query, key] * UNITS).astype(np.int32)
    nodes = (layers + 1) * pieces
    graph = csr_array(
        (capacities, ((layer + 1) * pieces + query, layer * pieces + key)), shape=(nodes, nodes)
    )
    top = layers * pieces + source
    return np.array([maximum_flow(graph, top, sink).flow_value / UNITS for sink in range(pieces)])

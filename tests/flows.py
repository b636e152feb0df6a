"""Largest flows by two other libraries."""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

UNITS = 10**9


def by_networkx(steps: np.ndarray, source: int) -> np.ndarray:
    """Flows (piece,) from a piece at the top of maps (layer, query, key)."""
    layers, pieces, _ = steps.shape
    graph = nx.DiGraph()
    graph.add_nodes_from((layer, piece) for layer in range(layers + 1) for piece in range(pieces))
    graph.add_edges_from(
        ((layer + 1, query), (layer, key), {"capacity": steps[layer, query, key]})
        for layer, query, key in np.argwhere(steps > 0).tolist()
    )
    return np.array([nx.maximum_flow_value(graph, (layers, source), (0, sink)) for sink in range(pieces)])


def by_scipy(steps: np.ndarray, source: int) -> np.ndarray:
    """The same, in whole numbers."""
    layers, pieces, _ = steps.shape
    layer, query, key = np.nonzero(steps)
    capacities = np.round(steps[layer, query, key] * UNITS).astype(np.int32)
    nodes = (layers + 1) * pieces
    graph = csr_array(
        (capacities, ((layer + 1) * pieces + query, layer * pieces + key)), shape=(nodes, nodes)
    )
    top = layers * pieces + source
    return np.array([maximum_flow(graph, top, sink).flow_value / UNITS for sink in range(pieces)])

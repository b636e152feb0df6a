"""Largest flows through layers of maps by a general library, for comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np


def by_networkx(
    steps: np.ndarray, source: int, solve: Callable[..., Any] = nx.algorithms.flow.preflow_push
) -> np.ndarray:
    """Flows (piece,) from a piece at the top of maps (layer, query, key); solve: an algorithm of networkx."""
    layers, pieces, _ = steps.shape
    graph = nx.DiGraph()
    graph.add_nodes_from((layer, piece) for layer in range(layers + 1) for piece in range(pieces))
    graph.add_edges_from(
        ((layer + 1, query), (layer, key), {"capacity": steps[layer, query, key]})
        for layer, query, key in np.argwhere(steps > 0).tolist()
    )
    top, sinks = (layers, source), [(0, sink) for sink in range(pieces)]
    return np.array([nx.maximum_flow_value(graph, top, sink, flow_func=solve) for sink in sinks])

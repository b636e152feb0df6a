"""Attention flow: how much of a piece's attention could have come from each input, through all layers.

Steps of attention are a graph of layers: node (layer, piece), and from each node to each node of the layer
below an edge whose capacity is the weight. Flow is the largest flow from a piece at the top to a piece at
the bottom (Abnar and Zuidema 2020, section 3.2). Dinic's algorithm on dense arrays: every path has one length
in the first phase, so its distances are known; capacities are put back by a list of the edges that changed;
and a flow that fills its bound, what leaves the source or enters the sink, is not looked at further.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

NOTHING = 1e-12
"""Capacities below count as full."""


def attention_flow(steps: np.ndarray, sources: np.ndarray) -> np.ndarray:
    """Largest flow from some pieces at the top to every piece at the bottom, (source, piece).

    steps: (layer, query, key), the lowest layer first, no weight negative. sources: (source,) queries.

    Two layers; all that the second piece has of the first goes through an edge of .2:

    >>> lower, upper = [[1.0, 0.0], [0.2, 0.8]], [[0.5, 0.5], [0.0, 1.0]]
    >>> attention_flow(np.array([lower, upper]), np.array([0, 1])).round(3)
    array([[0.7, 0.5],
           [0.2, 0.8]])
    """
    capacity = np.ascontiguousarray(steps, dtype=np.float64)
    order = np.argsort(-capacity, axis=2, kind="stable")
    return _flows(capacity, order, np.asarray(sources, dtype=np.int64))


def saturation(steps: np.ndarray, flows: np.ndarray, sources: np.ndarray) -> float:
    """Share of pairs whose flow is all that the source gives or the sink takes: no path between limits it.

    steps: (layer, query, key); flows: (source, piece) from these sources. For rows that sum to 1 the bound is
    min(1, column sum of the lowest layer), which is the same for every source.

    >>> steps = np.array([[[1.0, 0.0], [0.2, 0.8]], [[0.5, 0.5], [0.0, 1.0]]])
    >>> saturation(steps, np.array([[0.7, 0.5], [0.2, 0.8]]), np.array([0, 1]))
    0.25
    """
    bound = np.minimum(steps[-1][sources].sum(1)[:, None], steps[0].sum(0)[None])
    return float((flows >= bound - 1e-9).mean())


@njit(cache=True)
def _flows(capacity: Any, order: Any, sources: Any) -> Any:
    """The flows of all pairs, one after the other, on one array of what is left."""
    layers, pieces, _ = capacity.shape
    left = capacity.copy()
    flows = np.zeros((len(sources), pieces))
    distance = np.empty((layers + 1, pieces), np.int64)
    state = np.empty((3, (layers + 1) * pieces), np.int64)
    changed = np.empty(layers * pieces * pieces, np.int64)
    marked = np.zeros((layers, pieces, pieces), np.bool_)
    for number in range(len(sources)):
        source = sources[number]
        given = capacity[layers - 1, source].sum()
        for sink in range(pieces):
            bound = min(given, capacity[0, :, sink].sum())
            count, flow, known = 0, 0.0, True
            while bound - flow > NOTHING:
                if known:
                    _first_distances(distance, sink)
                elif not _distances(capacity, left, distance, state[0], source, sink):
                    break
                more, count = _block(
                    capacity, left, order, distance, state, marked, changed, count, source, bound - flow
                )
                flow += more
                if more <= NOTHING and not known:
                    break
                known = False
            flows[number, sink] = flow
            for place in range(count):
                layer, rest = divmod(changed[place], pieces * pieces)
                query, key = divmod(rest, pieces)
                left[layer, query, key] = capacity[layer, query, key]
                marked[layer, query, key] = False
    return flows


@njit(cache=True)
def _first_distances(distance: Any, sink: int) -> None:
    """Before anything flows, a node is as far from the sink as its layer is high."""
    for layer in range(distance.shape[0]):
        distance[layer] = layer
    distance[0] = -1
    distance[0, sink] = 0


@njit(cache=True)
def _distances(capacity: Any, left: Any, distance: Any, queue: Any, source: int, sink: int) -> bool:
    """Edges to the sink from every node that still reaches it, -1 for others; whether the source does."""
    layers, pieces, _ = capacity.shape
    distance[:] = -1
    distance[0, sink] = 0
    queue[0], first, last = sink, 0, 1
    while first < last and distance[layers, source] < 0:
        layer, piece = divmod(queue[first], pieces)
        first += 1
        for other in range(pieces):
            if layer < layers and distance[layer + 1, other] < 0 and left[layer, other, piece] > NOTHING:
                distance[layer + 1, other] = distance[layer, piece] + 1
                queue[last] = (layer + 1) * pieces + other
                last += 1
            # What flows down an edge can be taken back up.
            if (
                layer > 0
                and distance[layer - 1, other] < 0
                and capacity[layer - 1, piece, other] - left[layer - 1, piece, other] > NOTHING
            ):
                distance[layer - 1, other] = distance[layer, piece] + 1
                queue[last] = (layer - 1) * pieces + other
                last += 1
    return distance[layers, source] >= 0


@njit(cache=True)
def _block(
    capacity: Any, left: Any, order: Any, distance: Any, state: Any, marked: Any, changed: Any, count: int,
    source: int, wanted: float,
) -> Any:  # fmt: skip
    """Send as much as is wanted along shortest paths until none is open: how much, and edges changed so far.

    state: the node before each on the path, the next edge to try at each node, and the path itself.
    """
    layers, pieces, _ = capacity.shape
    tried, path = state[1], state[2]
    tried[:] = 0
    path[0], steps, sent = layers * pieces + source, 0, 0.0
    while True:
        layer, piece = divmod(path[steps], pieces)
        if distance[layer, piece] == 0:
            amount, count = _send(capacity, left, marked, changed, count, path, steps, wanted - sent)
            sent += amount
            if wanted - sent <= NOTHING:
                return sent, count
            steps = 0
            continue
        following = _next(capacity, left, order, distance, tried, layer, piece)
        if following >= 0:
            steps += 1
            path[steps] = following
        elif steps == 0:
            return sent, count
        else:
            distance[layer, piece] = -1
            steps -= 1


@njit(cache=True)
def _next(capacity: Any, left: Any, order: Any, distance: Any, tried: Any, layer: int, piece: int) -> int:
    """The next open node one step nearer to the sink, the widest edges down first; -1 for none."""
    layers, pieces, _ = capacity.shape
    node, near = layer * pieces + piece, distance[layer, piece] - 1
    while tried[node] < 2 * pieces:
        place = tried[node]
        if place < pieces:
            if layer > 0:
                key = order[layer - 1, piece, place]
                if capacity[layer - 1, piece, key] <= NOTHING:
                    tried[node] = pieces  # narrower edges follow
                    continue
                if distance[layer - 1, key] == near and left[layer - 1, piece, key] > NOTHING:
                    return (layer - 1) * pieces + key
        elif layer < layers:
            query = place - pieces
            sent = capacity[layer, query, piece] - left[layer, query, piece]
            if distance[layer + 1, query] == near and sent > NOTHING:
                return (layer + 1) * pieces + query
        tried[node] += 1
    return -1


@njit(cache=True)
def _send(
    capacity: Any, left: Any, marked: Any, changed: Any, count: int, path: Any, steps: int, most: float
) -> Any:
    """Fill a path from source to sink: how much went through, and how many edges were changed so far."""
    pieces = capacity.shape[1]
    amount = most
    for step in range(steps):
        layer, piece = divmod(path[step], pieces)
        lower, other = divmod(path[step + 1], pieces)
        if lower < layer:
            amount = min(amount, left[lower, piece, other])
        else:
            amount = min(amount, capacity[layer, other, piece] - left[layer, other, piece])
    for step in range(steps):
        layer, piece = divmod(path[step], pieces)
        lower, other = divmod(path[step + 1], pieces)
        down = lower < layer
        at, query, key = (lower, piece, other) if down else (layer, other, piece)
        left[at, query, key] += -amount if down else amount
        if not marked[at, query, key]:
            marked[at, query, key] = True
            changed[count] = (at * pieces + query) * pieces + key
            count += 1
    return amount, count

"""What explanations cost beside a plain forward pass, and flow beside a general library."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

import networkx as nx
import numpy as np
import torch

from benchmarks.corpus import DATA, segments
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import clock_for, computing_with, interleaved, ratio, timed, worded
from headscope.explainers import EXPLAINERS, Asked, ask
from headscope.explainers.norms import block_maps, norms_of_heads, norms_of_layer, why_no_blocks
from headscope.measures.flow import attention_flow, saturation
from headscope.models import Sides, sides_of
from headscope.models.task_heads import with_head

__all__ = ["DATA", "REDUCED", "SAYS", "TITLE", "run"]

TITLE = "Explanations"
SAYS = (
    "Ways to explain a classifier's answers to 16 texts of 64 pieces (the embedded model with an untrained "
    "head), in plain SDPA passes over the same batch. Rollout and norms are of maps and values that one pass "
    "has let hear, which is not in them; generic attention is whole, a pass forward and one back. Flow is of "
    "maps of the same texts, in seconds on the processor, one thread; networkx solves the same graphs with "
    "Edmonds and Karp's algorithm, from one source."
)
REDUCED = {"repeats": 3, "slack": 1.6}
TEXTS, PIECES = 16, 64


def run(repeats: int = 7, threads: int = 1, slack: float = 1.0) -> list[Row]:
    """All comparisons; slack widens the limits."""
    with computing_with(threads):
        asked = _asked()
        clock = clock_for(threads)
        times = interleaved(_jobs(asked), repeats, clock)
    cost = {name: ratio(taken, times["forward"]) for name, taken in times.items()}
    limits = {"rollout": 0.05, "norms of heads": 0.3, "norms of layers": 0.6, "norms of blocks": 1.0}
    limits["generic attention"] = 2.5
    return [
        told(
            f"plain SDPA pass, {TEXTS} x {PIECES}, {worded(threads)}", 1000 * median(times["forward"]), "ms"
        ),
        told("pass with maps and values heard", cost["hearing"], "passes"),
        *(
            at_most(f"{name} / plain forward", cost[name], "passes", limit, limit * slack)
            for name, limit in limits.items()
        ),
        *_flow_rows(asked),
    ]


def _asked() -> Asked:
    model = with_head("default", "texts", ["no", "yes"]).model
    why_no_blocks(model)  # finds what surrounds its attention, once for all batches
    batch = next(model.batches(segments(model, TEXTS, PIECES), TEXTS))
    return ask(model, sides_of(model, batch))


def _jobs(asked: Asked) -> dict[str, Callable[[], object]]:
    sites = asked.model.sites.sites
    EXPLAINERS["rollout"](asked)  # where it decides is found once for all ways
    return {
        "forward": lambda: _forward(asked),
        "hearing": lambda: ask(asked.model, asked.sides),
        "rollout": lambda: EXPLAINERS["rollout"](asked),
        "norms of heads": lambda: [norms_of_heads(asked, site) for site in sites],
        "norms of layers": lambda: [norms_of_layer(asked, site) for site in sites],
        "norms of blocks": lambda: block_maps(asked),
        "generic attention": lambda: EXPLAINERS["generic"](asked),
    }


def _forward(asked: Asked) -> None:
    sides: Sides = asked.sides
    with torch.no_grad():
        asked.model.module(**sides.inputs)


def _flow_rows(asked: Asked) -> list[Row]:
    """Flow through the maps of one text: its first 20 pieces, their rows made whole again, and all."""
    maps = torch.stack([maps.mean(1)[0] for maps in asked.hearing.maps.values()]).double().numpy()
    whole = (maps + np.eye(PIECES)) / 2
    short = maps[:, :20, :20] / maps[:, :20, :20].sum(-1, keepdims=True)
    short = (short + np.eye(20)) / 2
    first = np.array([0])
    attention_flow(short, first)
    ours = min(timed(lambda: attention_flow(short, first), process_time) for _ in range(20))
    theirs = timed(lambda: by_edmonds_karp(short), process_time)
    wrong = np.abs(attention_flow(short, first)[0] - by_edmonds_karp(short)).max()
    every = np.arange(PIECES)
    seconds = timed(lambda: attention_flow(whole, every), process_time)
    share = saturation(whole, attention_flow(whole, every), every)
    return [
        at_least("flow from one source, n = 20: networkx / ours", theirs / ours, "x", 1000),
        at_most("largest difference from networkx", float(wrong), "", 1e-6),
        at_most(f"flow from all sources, n = {PIECES}", seconds, "CPU s", 2.0),
        told("pairs whose flow equals min(1, column of the lowest layer)", 100 * share, "%"),
    ]


def by_edmonds_karp(steps: np.ndarray) -> np.ndarray:
    """Flows (piece,) from the first piece at the top of maps (layer, query, key), by networkx."""
    layers, pieces, _ = steps.shape
    graph = nx.DiGraph()
    graph.add_nodes_from((layer, piece) for layer in range(layers + 1) for piece in range(pieces))
    graph.add_edges_from(
        ((layer + 1, query), (layer, key), {"capacity": steps[layer, query, key]})
        for layer, query, key in np.argwhere(steps > 0).tolist()
    )
    solve = nx.algorithms.flow.edmonds_karp
    sinks = [(0, sink) for sink in range(pieces)]
    return np.array([nx.maximum_flow_value(graph, (layers, 0), sink, flow_func=solve) for sink in sinks])

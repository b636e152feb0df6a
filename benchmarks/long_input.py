"""A long input: row statistics of a decoder while its fast kernel stays on, beside the kernel alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import torch
import transformers

from benchmarks.peak import alone, peak_above_now
from benchmarks.rows import Row, at_most, told
from headscope.attention import Heard, RowBlocks, attach, find_sites
from headscope.attention.listen import Need
from headscope.measures.surface import Lengths, SurfaceSums
from headscope.questions.survey.surface import sums_of

TITLE = "Long input"
SAYS = (
    "A small random decoder: surface sums of sampled query rows while SDPA stays on, beside SDPA alone, each "
    "in a process of its own."
)
DATA = ()
REDUCED = {"tokens": 8192}
LAYERS, HEADS, ROWS, GIB = 2, 4, 1024, 2**30


def run(tokens: int = 65_536) -> list[Row]:
    """Both ways over the same input, each in a process of its own."""
    plain_peak, plain_time = alone(plain, tokens)
    heard_peak, heard_time = alone(listening, tokens)
    maps = 4 * LAYERS * HEADS * tokens**2
    return [
        told("tokens; layers; heads of each; sampled rows", f"{tokens:,}; {LAYERS}; {HEADS}; {ROWS:,}"),
        told("plain SDPA: peak above the model", plain_peak / GIB, "GiB"),
        told("listening: peak above the model", heard_peak / GIB, "GiB"),
        at_most("listening above plain SDPA", (heard_peak - plain_peak) / GIB, "GiB", 1.0),
        told("plain SDPA: time", plain_time, "s"),
        told("listening: time", heard_time, "s"),
        told("listening / plain SDPA, time", heard_time / plain_time, "x"),
        told("keeping all maps in float32 would need (computed)", maps / GIB, "GiB"),
    ]


def plain(tokens: int) -> tuple[int, float]:
    """Peak bytes and seconds of the model alone."""
    model, inputs = build(tokens)
    with torch.no_grad():
        return measured(lambda: model(**inputs, use_cache=False))


def listening(tokens: int) -> tuple[int, float]:
    """The same while the surface sums of sampled rows are taken in blocks."""
    model, inputs = build(tokens)
    sites = find_sites(model, {"input_ids": inputs["input_ids"][:, :7]})
    blocks = RowBlocks(rows=ROWS)

    def listen(some: dict[str, torch.Tensor]) -> RowSums:
        sums = RowSums(some["input_ids"].shape[1])
        with torch.no_grad(), attach(model, sites, [sums], blocks=blocks):
            model(**some, use_cache=False)
        return sums

    listen({"input_ids": inputs["input_ids"][:, :2048]})  # compiles what is compiled at first use
    found: list[RowSums] = []
    peak, taken = measured(lambda: found.append(listen(inputs)))
    check(found[0], min(ROWS, tokens))
    return peak, taken


class RowSums:
    """The sums that a survey takes of every head, over whatever rows are heard."""

    needs: Need = "rows"

    def __init__(self, tokens: int) -> None:
        size, kinds = np.array([tokens]), np.zeros((1, tokens), dtype=np.int64)
        self._lengths = Lengths(size, size, kinds, kinds, 1)
        self.layers: dict[int, SurfaceSums] = {}

    def hear(self, heard: Heard) -> None:
        new = sums_of(heard.weights, heard.rows, self._lengths)
        if heard.site.layer in self.layers:
            self.layers[heard.site.layer] += new
        else:
            self.layers[heard.site.layer] = new


def check(sums: RowSums, rows: int) -> None:
    """Every row's weights sum to 1, so each head's flow is the number of rows heard."""
    assert len(sums.layers) == LAYERS, f"{len(sums.layers)} of {LAYERS} layers were heard"
    for layer in sums.layers.values():
        np.testing.assert_allclose(layer.flow.sum((2, 3)), rows, rtol=1e-4)


def build(tokens: int) -> tuple[transformers.LlamaModel, dict[str, torch.Tensor]]:
    """A small random decoder with grouped keys, and random pieces."""
    torch.set_num_threads(2)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        hidden_size=64, intermediate_size=128, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        num_key_value_heads=2, vocab_size=1000, max_position_embeddings=tokens,
    )  # fmt: skip
    return transformers.LlamaModel(config).eval(), {"input_ids": torch.randint(3, 1000, (1, tokens))}


def measured(job: Callable[[], object]) -> tuple[int, float]:
    """Peak bytes above now, and seconds."""
    started = time.perf_counter()
    peak = peak_above_now(job)
    return peak, time.perf_counter() - started

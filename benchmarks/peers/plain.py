"""A survey beside a plain loop over `output_attentions` with numpy: time, memory, and the same numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
import transformers

import headscope
from benchmarks.corpus import segments
from benchmarks.head_statistics import BY_OFFSET, ENTROPY, FIRST, OFFSETS, SPECIAL, mean_of, statistics_of
from benchmarks.peak import alone, peak_above_now
from benchmarks.peers.turns import in_turns, ours
from benchmarks.rows import Row, at_most, told
from benchmarks.speed import survey
from benchmarks.timing import ratio
from headscope.analyses.analysis import Setting
from headscope.models import Model
from headscope.models.embedded import embedded_folder
from headscope.questions.survey.surface import ANY, Surface
from headscope.text import Segment, batches

BATCH = 16
MIB = 2**20
ROUNDING = 1e-4
"""Sums of single precision may differ by so much."""


def eager() -> Any:
    """The embedded model as transformers loads it for whoever wants its attention."""
    return transformers.AutoModel.from_pretrained(embedded_folder(), attn_implementation="eager").eval()


def loop(module: Any, tokenizer: Any, ready: Sequence[Segment]) -> np.ndarray:
    """Statistics (layer, head, statistic), batch by batch; no map is kept longer."""
    return mean_of(
        statistics_of(maps, segment.special)
        for segment, maps in zip(_in_order(ready, tokenizer), _maps(module, tokenizer, ready), strict=True)
    )


def _in_order(ready: Sequence[Segment], tokenizer: Any) -> Iterator[Segment]:
    """As batches hand them out, which puts like lengths together."""
    return (segment for batch in batches(ready, tokenizer, BATCH) for segment in batch.segments)


def _maps(module: Any, tokenizer: Any, ready: Sequence[Segment]) -> Iterator[np.ndarray]:
    for batch in batches(ready, tokenizer, BATCH):
        with torch.no_grad():
            found = module(**batch.inputs, output_attentions=True).attentions
        for row, length in enumerate(batch.lengths.tolist()):
            yield torch.stack([layer[row, :, :length, :length] for layer in found]).numpy()


def plain_rows(number: int, pieces: int, repeats: int) -> list[Row]:
    """All comparisons over the embedded model."""
    model, module = headscope.load("default"), eager()
    ready = segments(model, number, pieces)
    survey(model, ready[:1], [Surface()])
    theirs = loop(module, model.tokenizer, ready)
    jobs = {
        "ours": ours(survey, model, ready, [Surface()]),
        "loop": ours(loop, module, model.tokenizer, ready),
    }
    times = in_turns(jobs, repeats)
    mine, other = alone(peak_of_survey, "default", number, pieces), alone(_peak_of_loop, number, pieces)
    differences = _differences(model, ready, theirs)
    what = f"plain loop, {len(ready)} segments of {pieces} pieces, 72 heads"
    return [
        told(f"{what}: time of the loop / ours", ratio(times["loop"], times["ours"]), "x"),
        told(f"{what}: peak memory of the loop", other / MIB, "MiB"),
        told(f"{what}: peak memory of ours", mine / MIB, "MiB"),
        *(
            at_most(f"{what}: largest difference of {name}", value, unit, ROUNDING)
            for name, (value, unit) in differences.items()
        ),
    ]


def _differences(model: Model, ready: Sequence[Segment], theirs: np.ndarray) -> dict[str, tuple[float, str]]:
    found = surveyed(model, ready)
    flat = theirs.reshape(-1, theirs.shape[-1])
    return {
        "entropy": (_largest(found["entropy"].values, flat[:, ENTROPY]), "nats"),
        "offsets from -8 to 8": (_largest(found["offset"].values, flat[:, BY_OFFSET]), ""),
        "shares to special tokens": (_largest(found["share"].sel(target=ANY).values, flat[:, SPECIAL]), ""),
    }


def causal_difference(model: Model, ready: Sequence[Segment], theirs: np.ndarray) -> float:
    """The largest difference of any statistic of a decoder, whose heads cannot look ahead."""
    found, flat = surveyed(model, ready), theirs.reshape(-1, theirs.shape[-1])
    behind = [offset for offset in OFFSETS if offset <= 0]
    return max(
        _largest(found["entropy"].values, flat[:, ENTROPY]),
        _largest(found["share"].sel(target="first").values, flat[:, FIRST]),
        _largest(found["offset"].sel(distance=behind).values, flat[:, BY_OFFSET][:, : len(behind)]),
    )


def surveyed(model: Model, ready: Sequence[Segment]) -> Any:
    """What a survey of the surface finds, labelled."""
    return Surface().arrays(survey(model, ready, [Surface()])["surface"], Setting(model))


def _largest(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one - other).max())


def peak_of_survey(name: str, number: int, pieces: int) -> int:
    """Bytes that a survey adds to the loaded model and the cut text, in this process."""
    torch.set_num_threads(1)
    model = headscope.load(name)
    ready = segments(model, number, pieces)
    survey(model, ready[:1], [Surface()])  # compiles what is compiled at first use
    return peak_above_now(lambda: survey(model, ready, [Surface()]))


def _peak_of_loop(number: int, pieces: int) -> int:
    torch.set_num_threads(1)
    model, module = headscope.load("default"), eager()
    ready = segments(model, number, pieces)
    loop(module, model.tokenizer, ready[:1])
    return peak_above_now(lambda: loop(module, model.tokenizer, ready))

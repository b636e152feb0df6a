"""Half of the embedded encoder's heads taken out: what that saves, beside its ceiling and the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

import headscope
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import Clock, clock_for, computing_with, interleaved, ratio, worded
from headscope.attention import Ablate
from headscope.models import Model
from headscope.models.pruning.removal import remove_heads
from headscope.models.speed import BATCH_SIZES, Speed, attention_share, ceiling, filled, measure
from headscope.questions.prune.removal import file_size, parameters

TITLE = "Pruning"
SAYS = (
    "Every other head of the embedded model taken out of its matrices: both models take turns on "
    "full rows; the published speeds are of BERT-base on two GPUs."
)
DATA = ()
REDUCED: dict[str, Any] = {"sizes": BATCH_SIZES[:2], "repeats": 9, "threads": 1}
PIECES = 128
PUBLISHED = {1: 1.9, 4: 2.7, 16: 17.5, 64: 17.5}
"""Percent faster in Michel et al. 2019, table 4: BERT-base with half of its heads removed, on two GPUs."""


def run(sizes: Sequence[int] = BATCH_SIZES, repeats: int = 9, threads: int = 2) -> list[Row]:
    """Every other head removed, and both models timed in batches of some sizes."""
    with computing_with(threads):
        model = headscope.load("default")
        heads = [head for head in model.heads() if head.index % 2]
        pruned = remove_heads(model, heads)
        return [
            told(f"heads removed, of {len(model.heads())}; {worded(threads)}", len(heads)),
            *saved(model, pruned),
            at_most("largest difference from the masked model", difference(model, pruned), "", 1e-5),
            *beside_ceiling(model, pruned, sizes, repeats),
            faster(model, pruned, max(sizes), repeats, clock_for(threads)),
        ]


def saved(model: Model, pruned: Model) -> list[Row]:
    """Parameters and bytes of the weights, before and after."""
    rows = []
    for what, unit, count in (("parameters", "million", parameters), ("weights on disk", "MB", file_size)):
        before, after = count(model) / 1e6, count(pruned) / 1e6
        name = f"{what} left, of {before:.1f}; {100 * (1 - after / before):.1f} % saved"
        rows.append(told(name, after, unit))
    return rows


def difference(model: Model, pruned: Model) -> float:
    """The largest difference of hidden states between the pruned and the masked model."""
    inputs = filled(model, 4, PIECES, seed=1)
    masking = Ablate([head for head in model.heads() if head.index % 2])
    with torch.no_grad():
        with model.attached(edits=[masking]) as module:
            masked = module(**inputs)[0]
        return float((pruned.module(**inputs)[0] - masked).abs().max())


def faster(model: Model, pruned: Model, size: int, repeats: int, clock: Clock) -> Row:
    """Percent faster in batches of a size, which must be some."""
    inputs = filled(model, size, PIECES, seed=0)

    def job(of: Model) -> Callable[[], object]:
        return lambda: of.module(**inputs)

    with torch.no_grad():
        times = interleaved({"whole": job(model), "pruned": job(pruned)}, repeats, clock)
    return at_least(f"faster in batches of {size}", _percent(ratio(times["whole"], times["pruned"])), "%", 0)


def beside_ceiling(model: Model, pruned: Model, sizes: Sequence[int], repeats: int) -> list[Row]:
    """Percent faster at each batch size, beside the most that attention's share of the time allows."""
    speeds = measure({"whole": model, "pruned": pruned}, sizes, PIECES, repeats=repeats)
    after = [speed for speed in speeds if speed.model == "pruned"]
    removed = 1 - len(pruned.heads()) / len(model.heads())
    rows = []
    for speed in after:
        share = attention_share(model, speed.batch_size, PIECES, repeats=5)
        rows.append(told(_line(speed, share, ceiling(share, removed)), _percent(speed.ratio), "%"))
    return rows


def _line(speed: Speed, share: float, most: float) -> str:
    spread = f"{_percent(speed.ratio_low):.1f} to {_percent(speed.ratio_high):.1f}"
    return (
        f"batches of {speed.batch_size}: {speed.throughput:.1f} texts/s, faster by "
        f"({spread}; attention takes {100 * share:.0f} % of the time, so at best {_percent(most):.1f}; "
        f"published {PUBLISHED[speed.batch_size]})"
    )


def _percent(ratio: float) -> float:
    return 100 * (ratio - 1)

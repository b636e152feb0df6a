"""Half of the embedded encoder's heads taken out: what that saves, beside its ceiling and the paper."""

from __future__ import annotations

import argparse
import sys

import torch

import headscope
from benchmarks.rows import Row, at_least, at_most, show, told
from headscope.attention import Ablate
from headscope.models import Model
from headscope.models.pruning.removal import remove_heads
from headscope.models.speed import BATCH_SIZES, Speed, attention_share, ceiling, filled, measure
from headscope.questions.prune.removal import file_size, parameters

THREADS, PIECES = 2, 128
PUBLISHED = {1: 1.9, 4: 2.7, 16: 17.5, 64: 17.5}
"""Percent faster in Michel et al. 2019, table 4: BERT-base with half of its heads removed, on two GPUs."""


def run(reduced: bool = False) -> list[Row]:
    """Every other head removed; reduced, two batch sizes and few repeats."""
    torch.set_num_threads(THREADS)
    model = headscope.load("default")
    heads = [head for head in model.heads() if head.index % 2]
    pruned = remove_heads(model, heads)
    sizes, repeats = (BATCH_SIZES[:2], 5) if reduced else (BATCH_SIZES, 9)
    rows = [
        told(f"heads removed, of {len(model.heads())}", len(heads)),
        *saved(model, pruned),
        at_most("largest difference from the masked model", difference(model, pruned), "", 1e-5),
        *faster(model, pruned, sizes, repeats),
    ]
    return show("Pruning", rows)


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


def faster(model: Model, pruned: Model, sizes: tuple[int, ...], repeats: int) -> list[Row]:
    """Percent faster at each batch size, beside the most that attention's share of the time allows."""
    speeds = measure({"whole": model, "pruned": pruned}, sizes, PIECES, repeats=repeats)
    after = [speed for speed in speeds if speed.model == "pruned"]
    removed = 1 - len(pruned.heads()) / len(model.heads())
    rows = []
    for speed in after:
        share = attention_share(model, speed.batch_size, PIECES, repeats=5)
        rows.append(told(_line(speed, share, ceiling(share, removed)), _percent(speed.ratio), "%"))
    largest = max(after, key=lambda speed: speed.batch_size)
    return [*rows, at_least(f"faster in batches of {largest.batch_size}", _percent(largest.ratio), "%", 0)]


def _line(speed: Speed, share: float, most: float) -> str:
    spread = f"{_percent(speed.ratio_low):.1f} to {_percent(speed.ratio_high):.1f}"
    return (
        f"batches of {speed.batch_size}, {THREADS} threads: {speed.throughput:.1f} texts/s, faster by "
        f"({spread}; attention takes {100 * share:.0f} % of the time, so at best {_percent(most):.1f}; "
        f"published {PUBLISHED[speed.batch_size]})"
    )


def _percent(ratio: float) -> float:
    return 100 * (ratio - 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reduced", action="store_true", help="two batch sizes, few repeats")
    sys.exit(not all(row["passed"] for row in run(parser.parse_args().reduced)))

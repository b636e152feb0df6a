"""Plain passes through a model with its own kernel and nothing attached: what other work is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch

from benchmarks.timing import Clock, timed
from headscope.models import Model
from headscope.text import Cutter, Document, Segment, batches

LONGEST = 256
"""Pieces of a segment, where texts are cut here."""


def forward(model: Model, ready: Sequence[Segment], batch_size: int) -> None:
    """One pass over segments that are cut already."""
    with torch.no_grad():
        for batch in batches(iter(ready), model.tokenizer, batch_size):
            model.backbone(**batch.inputs)


def seconds_of_pass(
    model: Model,
    documents: Iterable[Document],
    cutter: Cutter,
    batch_size: int,
    clock: Clock,
    most: int = 2000,
) -> float:
    """Seconds that a pass over documents takes, without cutting; by the time of so many, evenly spread."""
    every = list(documents)
    some = every[:: max(1, len(every) // most)]
    parts = (part for document in some for part in cutter(document, model.tokenizer, LONGEST))
    ready = [part for part in parts if isinstance(part, Segment)]
    forward(model, ready[:batch_size], batch_size)  # the first pass of all takes longer
    return timed(lambda: forward(model, ready, batch_size), clock) * len(every) / len(some)

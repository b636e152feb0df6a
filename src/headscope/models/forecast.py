"""What a run will need in memory above the loaded model, and what to reduce if that is too much."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import torch

from headscope.attention import Site
from headscope.errors import ModelError
from headscope.heads import Head
from headscope.models.model import Model

GIB = 2**30
OPERATIONS_OF_A_PAIR = 60
"""What comparing two heads in one query and key costs, in operations of a forward pass: 23 were measured with
72 heads and 50 with 270, whose maps do not stay in the cache."""

CHEAP = 50_000_000
"""Comparisons of heads in one query and key that take about 10 ms."""

DISTANCE_BUDGET = GIB
"""Maps of all layers that distances may keep at a time; above it they use a sample of query rows."""

LAYER_BUDGET = 4 * GIB
"""Maps of a layer that a batch may have where nobody says how large it is: 128 sentences of 32 heads."""

BLOCKWISE_ABOVE = 1024
"""Segments of more pieces are heard in blocks of rows, where the family allows it."""


@dataclass(frozen=True)
class Forecast:
    """Bytes by what needs them."""

    parts: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.parts.values())

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {in_words(size)}" for name, size in self.parts.items() if size)
        return f"about {in_words(self.total)} above the model ({parts})"


def map_bytes(model: Model, pieces: int, batch_size: int, layers: Sequence[int] | None = None) -> int:
    """All maps of the largest stack for one batch, of all or some layers, as float32."""
    stacks = [model.sites_of(stack, layers) for stack in model.stacks()]
    return 4 * batch_size * max(sum(_weights(site, pieces) for site in sites) for sites in stacks)


def layer_bytes(model: Model, pieces: int, batch_size: int) -> int:
    """What the largest layer needs for one batch: scores, their masked copy, the softmax, what sums read."""
    return 4 * 4 * batch_size * max(_weights(site, pieces) for site in model.sites.sites)


def fitting_batch(model: Model, pieces: int, most: int) -> int:
    """How many segments run together, at most so many: as many as LAYER_BUDGET holds.

    It is counted from shapes and not from what is free, so that it is the same on every machine.
    """
    return max(1, min(most, LAYER_BUDGET // layer_bytes(model, pieces, 1)))


def _weights(site: Site, pieces: int) -> int:
    """The weights of a site for one segment; the few queries of a pool look at all pieces."""
    return site.heads * pieces * (pieces if site.queries == "piece" else 1)


def distance_rows(model: Model, pieces: int, batch_size: int, heads: Sequence[Head]) -> int | None:
    """How many query rows of a segment distances between heads may use; None for all.

    So many that the maps fit the memory budget and that comparing them takes no longer than a forward pass,
    or than CHEAP comparisons, which no run notices. It is counted, not timed, so that it is the same on every
    machine; at least two, so that they tell the error of sampling.
    """
    by_stack = Counter(head.stack for head in heads)
    pairs = sum(count * (count - 1) // 2 for count in by_stack.values())
    compared = max(CHEAP, forward_operations(model, pieces) / OPERATIONS_OF_A_PAIR)
    in_time = compared / max(1, pairs * pieces)
    in_memory = DISTANCE_BUDGET / (4 * batch_size * max(by_stack.values()) * pieces)
    rows = min(in_time, in_memory)
    return None if rows >= pieces else max(2, int(rows))


def forward_operations(model: Model, pieces: int) -> float:
    """Multiplications and additions of a forward pass over one segment, about: weights once for each piece,
    and two products of pieces with pieces in every layer."""
    embedding = model.module.get_input_embeddings()
    weights: int = sum(weight.numel() for weight in model.module.parameters())
    weights -= sum(weight.numel() for weight in embedding.parameters())
    width = int(getattr(model.module.config, "hidden_size", 768))
    return 2.0 * weights * pieces + 4.0 * len(model.sites.sites) * width * pieces**2


def forecast(
    model: Model,
    pieces: int,
    batch_size: int,
    *,
    distances: bool = False,
    gradients: bool = False,
    blockwise: bool = False,
    layers: Sequence[int] | None = None,
) -> Forecast:
    """Memory of a run, from the shapes of what it keeps; layers are those whose distances are wanted."""
    every = map_bytes(model, pieces, batch_size)
    compared = map_bytes(model, pieces, batch_size, layers)
    width = getattr(model.module.config, "hidden_size", 768)
    states = 4 * batch_size * pieces * width * 12
    return Forecast(
        {
            "maps of a layer": 0 if blockwise else layer_bytes(model, pieces, batch_size),
            "hidden states": states,
            "distances": 2 * min(compared, DISTANCE_BUDGET) if distances else 0,
            # The backward pass keeps scores, weights and both gradients of all layers.
            "gradients": 4 * every + states * len(model.sites.sites) if gradients else 0,
        }
    )


def check_memory(needed: Forecast, advice: str, available: int | None = None) -> None:
    """Refuse a run that cannot fit; advice: what to reduce."""
    free = available_memory() if available is None else available
    if free is not None and needed.total > free:
        raise ModelError(f"this run needs {needed}, and {in_words(free)} are free. {advice}")


def to_reduce(**options: int) -> str:
    """The advice to lower some options of a verb.

    >>> to_reduce(batch_size=16, pieces=512)
    'Reduce --batch-size (now 16) or --pieces (now 512)'
    """
    now = [f"--{name.replace('_', '-')} (now {value})" for name, value in options.items()]
    return f"Reduce {' or '.join(now)}"


@contextmanager
def shortage_told(advice: str) -> Iterator[None]:
    """Tell of memory that ran out as of a mistake that can be put right; advice: what to reduce."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not is_shortage(error):
            raise
        raise ModelError(f"memory ran out: {_first_line(error)}. {advice}") from error


def is_shortage(error: BaseException) -> bool:
    """Whether an error says that memory ran out; torch's allocator of the CPU has no error of its own."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and "allocate memory" in str(error)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def available_memory() -> int | None:
    """Free bytes, with file caches that the system gives back when asked (Linux); None where it is silent."""
    with suppress(OSError, KeyError, ValueError):
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return 1024 * int(lines["MemAvailable"].split()[0])
    with suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def in_words(size: int) -> str:
    """Bytes for people.

    >>> in_words(61 * 2**30)
    '61 GB'
    """
    return f"{size / GIB:.2g} GB" if size >= GIB // 10 else f"{size / 2**20:.0f} MB"

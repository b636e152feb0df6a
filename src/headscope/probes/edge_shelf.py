"""Targets over hidden states, from shards on disk: a few in memory, batches of whole segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from headscope.blocks import BLOCKS
from headscope.probes.edges import EdgeBatch
from headscope.tallies.hidden import Hidden

MEMORY = 2**28
"""Bytes of states that are shuffled together; more than one shard, if several fit."""

TASK, CONTROL = "task", "control"
COLUMNS = ("segment", "start", "end", "other_start", "other_end", TASK, CONTROL)
"""What is known of a target: its segment's place in the shard, its spans in words of it, and its labels."""


@dataclass(frozen=True)
class EdgeShard:
    """hidden: the states of each word. targets: (target, column), see `COLUMNS`, by segments in order.

    documents: (target,) the number of each one's document. number: of the shard.
    """

    number: int
    hidden: Hidden
    targets: np.ndarray
    documents: np.ndarray

    @cached_property
    def starts(self) -> list[int]:
        """The first word of each segment."""
        starts: list[int] = self.hidden.starts.tolist()
        return starts

    @property
    def ranges(self) -> np.ndarray:
        """The segments that have targets: (segment, 3) its place, and where its targets begin and end."""
        segments = self.targets[:, 0]
        firsts = np.flatnonzero(np.diff(segments, prepend=-1))
        return np.stack([segments[firsts], firsts, np.append(firsts[1:], len(segments))], 1)


@dataclass(frozen=True)
class EdgeShelf:
    """Shards by number; spans: 1, or 2 for pairs. batch_size: targets that fill a batch."""

    read: Callable[[int], EdgeShard]
    numbers: Sequence[int]
    spans: int
    batch_size: int = 256

    def batches(self, random: np.random.Generator | None = None) -> Iterator[EdgeBatch]:
        """All targets once; with random numbers, shards and segments in an order that they give."""
        numbers = np.array(self.numbers) if random is None else random.permutation(self.numbers)
        for shards in self._held(numbers.tolist()):
            segments = [(place, row) for place, shard in enumerate(shards) for row in shard.ranges.tolist()]
            if random is not None:
                segments = [segments[place] for place in random.permutation(len(segments))]
            for group in self._groups(segments):
                yield self._batch(shards, group)

    def endless(self, seed: int) -> Iterator[EdgeBatch]:
        """All targets over and over, each time in another order."""
        random = np.random.default_rng(seed)
        while True:
            yield from self.batches(random)

    def between(self, seed: int, start: int, stop: int) -> Iterator[EdgeBatch]:
        """The targets from one number to another, in the order that the seed gives."""
        behind = 0
        for batch in self.batches(np.random.default_rng(seed)):
            first, last = max(start - behind, 0), min(stop - behind, len(batch))
            if first < last:
                yield _cut(batch, first, last)
            behind += len(batch)
            if behind >= stop:
                return

    def _held(self, numbers: list[int]) -> Iterator[list[EdgeShard]]:
        """Shards with targets, as many at a time as fit into memory, at least one."""
        held: list[EdgeShard] = []
        size = 0
        for number in numbers:
            shard = self.read(number)
            if not len(shard.targets):
                continue
            if held and size + shard.hidden.vectors.nbytes > MEMORY:
                yield held
                held, size = [], 0
            held.append(shard)
            size += shard.hidden.vectors.nbytes
        if held:
            yield held

    def _groups(self, segments: list[tuple[int, list[int]]]) -> Iterator[list[tuple[int, list[int]]]]:
        group: list[tuple[int, list[int]]] = []
        size = 0
        for segment in segments:
            group.append(segment)
            size += segment[1][2] - segment[1][1]
            if size >= self.batch_size:
                yield group
                group, size = [], 0
        if group:
            yield group

    def _batch(self, shards: list[EdgeShard], group: list[tuple[int, list[int]]]) -> EdgeBatch:
        words, rows, documents, firsts, segments = [], [], [], [], []
        base = 0
        for place, (segment, start, stop) in group:
            shard = shards[place]
            first, size = shard.starts[segment], int(shard.hidden.sizes[segment])
            words.append(shard.hidden.vectors[first : first + size, 0])
            rows.append(shard.targets[start:stop])
            documents.append(shard.documents[start:stop])
            firsts.append(np.full(stop - start, base))
            segments.append(np.tile([shard.number, segment], (stop - start, 1)))
            base += size
        targets = np.concatenate(rows).astype(np.int64)
        places = targets[:, 1:5].reshape(-1, 2, 2)[:, : self.spans]
        spans = places + np.concatenate(firsts)[:, None, None]
        asked = _inside(spans, base)
        moved = np.append(0, np.cumsum(asked))  # the words that nobody asks for are left out
        labels = {name: torch.from_numpy(targets[:, COLUMNS.index(name)].copy()) for name in (TASK, CONTROL)}
        blocks = (np.concatenate(documents) % np.uint64(BLOCKS)).astype(np.int64)
        vectors = torch.from_numpy(np.concatenate(words)[asked])
        return EdgeBatch(vectors, moved[spans], labels, blocks, np.concatenate(segments), places)


def _inside(spans: np.ndarray, size: int) -> np.ndarray:
    """Whether each of so many words is in a span, (word,); spans: (target, span, 2)."""
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, spans[..., 0], 1)
    np.add.at(steps, spans[..., 1], -1)
    inside: np.ndarray = np.cumsum(steps)[:-1] > 0
    return inside


def _cut(batch: EdgeBatch, first: int, last: int) -> EdgeBatch:
    """Some of the targets of a batch, over the same words."""
    some = slice(first, last)
    labels = {name: own[some] for name, own in batch.labels.items()}
    return EdgeBatch(
        *(
            batch.words,
            batch.spans[some],
            labels,
            batch.blocks[some],
            batch.segments[some],
            batch.places[some],
        )
    )

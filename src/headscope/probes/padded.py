"""Sentences of similar length padded into batches, with the transposed half of the maps made here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import torch

from headscope.probes.control import behaviours, control_heads
from headscope.probes.features import Features
from headscope.probes.vectors import Vectors

Task = Literal["tree", "control"]

SENTENCES, CELLS = 32, 40_000
"""A batch holds at most so many sentences, and padded words times words (unless one sentence has more)."""


@dataclass(frozen=True)
class Padded:
    """A batch of sentences; `direction` runs over heads as they attend, then over heads as they are attended.

    maps: (sentence, word, word, direction), dependent first, candidate second. ends: (sentence, word, end,
    direction), ROOT's two tokens as candidates. rows: (sentence, word) of the vectors. targets: for each
    task (sentence, word), -1 for what is not asked. counted: (sentence, word) bool, the words that scores
    are over. sizes, blocks: (sentence,).
    """

    maps: torch.Tensor
    ends: torch.Tensor
    rows: torch.Tensor
    targets: Mapping[Task, torch.Tensor]
    counted: np.ndarray
    sizes: np.ndarray
    blocks: np.ndarray

    def allowed(self, task: Task) -> torch.Tensor:
        """(sentence, word, 1 + word) bool: ROOT and all words, a word itself only in the control task."""
        longest = self.maps.shape[1]
        words = torch.arange(longest) < torch.as_tensor(self.sizes)[:, None]
        columns = torch.cat([torch.ones(len(words), 1, dtype=torch.bool), words], 1)
        allowed = columns[:, None].expand(-1, longest, -1)
        if task == "control":
            return allowed
        itself = torch.arange(longest)[:, None] == torch.arange(-1, longest)
        return allowed & ~itself


@dataclass(frozen=True)
class Shelf:
    """Shards of features that are read one at a time, as often as wanted.

    read: gives a shard by its number. vectors: of words, for the probes that want them. seed: of the
    control task.
    """

    read: Callable[[int], Features]
    numbers: Sequence[int]
    vectors: Vectors | None = None
    seed: int = 0
    _sizes: dict[int, np.ndarray] = field(default_factory=dict, init=False)

    def batches(self, random: np.random.Generator | None = None) -> Iterator[Padded]:
        """All sentences once, in order of shards and lengths, or in random order within and of the shards."""
        numbers = np.array(self.numbers) if random is None else random.permutation(self.numbers)
        for number in numbers.tolist():
            features = self.read(number)
            self._sizes[number] = features.sizes
            flat = _Flat(features, self)
            yield from map(flat.padded, groups(features.sizes, random))

    def epoch(self, seed: int, epoch: int) -> Iterator[Padded]:
        """The batches of one epoch, counted from 0; one stream of random numbers runs through all of them."""
        random = np.random.default_rng(seed)
        for _ in range(epoch):
            for number in random.permutation(self.numbers).tolist():
                groups(self._sizes_of(number), random)
        return self.batches(random)

    def _sizes_of(self, number: int) -> np.ndarray:
        if number not in self._sizes:
            self._sizes[number] = self.read(number).sizes
        return self._sizes[number]


def groups(sizes: np.ndarray, random: np.random.Generator | None = None) -> list[np.ndarray]:
    """Sentences (sentence,) in groups of similar length, each group one batch."""
    order = np.arange(len(sizes)) if random is None else random.permutation(len(sizes))
    order = order[np.argsort(sizes[order], kind="stable")]
    batches: list[np.ndarray] = []
    while len(order):
        ahead = sizes[order[:SENTENCES]].astype(np.int64)
        fits = int((np.arange(1, len(ahead) + 1) * ahead**2 <= CELLS).sum())
        batches.append(order[: max(fits, 1)])
        order = order[max(fits, 1) :]
    return batches if random is None else [batches[place] for place in random.permutation(len(batches))]


class _Flat:
    """A shard with everything looked up that its batches gather from; a last row of nothing pads them."""

    def __init__(self, features: Features, shelf: Shelf) -> None:
        gold = features.gold.astype(np.int64)
        control = control_heads(behaviours(features.vocabulary, shelf.seed)[features.word], features)
        rows = np.zeros(len(features.vocabulary), np.int64)
        if shelf.vectors is not None:
            rows = shelf.vectors.rows(features.vocabulary)
        self.sizes = features.sizes.astype(np.int64)
        self.blocks = features.blocks
        self.maps = _with_last(features.maps, 0)  # (cell + 1, head)
        self.ends = _with_last(features.ends, 0)  # (word + 1, 4, head)
        self.rows = _with_last(rows[features.word], 0)  # (word + 1,)
        self.targets: dict[Task, torch.Tensor] = {  # (word + 1,)
            "tree": _with_last(gold, -1),
            "control": _with_last(np.where(gold < 0, -1, control), -1),
        }
        self.counted = _with_last((gold >= 0) & ~features.punct, False).numpy()  # (word + 1,)
        self.first_word = np.cumsum(self.sizes) - self.sizes  # (sentence,)
        self.first_cell = np.cumsum(self.sizes**2) - self.sizes**2  # (sentence,)

    def padded(self, sentences: np.ndarray) -> Padded:
        """A batch of these sentences."""
        sizes = self.sizes[sentences]
        place = np.arange(sizes.max())
        real = place < sizes[:, None]
        words = np.where(real, self.first_word[sentences][:, None] + place, -1)
        cells = self.first_cell[sentences][:, None, None] + place[:, None] * sizes[:, None, None] + place
        cells = np.where(real[:, :, None] & real[:, None], cells, -1)
        one_way = _gather(self.maps, cells)
        # Dependent and candidate change places: what the candidate gives to the dependent.
        maps = torch.cat([one_way, one_way.transpose(1, 2)], -1)
        ends = _gather(self.ends, words)
        ends = ends.view(*ends.shape[:2], 2, maps.shape[-1])
        return Padded(
            maps,
            ends,
            self.rows[words],
            {task: target[words] for task, target in self.targets.items()},
            self.counted[words],
            sizes,
            self.blocks[sentences],
        )


def _gather(table: torch.Tensor, places: np.ndarray) -> torch.Tensor:
    index = torch.from_numpy(places % len(table)).flatten()
    return table.index_select(0, index).float().view(*places.shape, *table.shape[1:])


def _with_last(array: np.ndarray, value: int | bool) -> torch.Tensor:
    last = np.full((1, *array.shape[1:]), value, array.dtype)
    return torch.from_numpy(np.concatenate([array, last]))

"""Labelled examples in memory: flat arrays of 32 bits, cut into shuffled batches of like length."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from headscope.models import Sides
from headscope.tasks.predictions import IGNORED

_WINDOW = 50
"""Batches whose examples are sorted by length together: little padding, and still in an order of chance."""


@dataclass(frozen=True)
class Examples:
    """Inputs and answers of a data set, one example after the other.

    ids: (piece,). labels: one for each text (example,), or for each piece (piece,), -100 where it has none.
    sizes: (example,) pieces of each. words: (example,). types: (piece,), where the model takes them.
    label_sizes: (example,) labels of each, where they are those of another text, its translation.
    """

    ids: np.ndarray
    labels: np.ndarray
    sizes: np.ndarray
    words: np.ndarray
    types: np.ndarray | None = None
    label_sizes: np.ndarray | None = None
    per_text: bool = True

    def __len__(self) -> int:
        return len(self.sizes)

    @classmethod
    def of(cls, prepared: Iterable[Sides]) -> Examples:
        """Take what a task has prepared; padding is left out."""
        batches, per_text = [], True
        for sides in prepared:
            batches.append(_flat(sides))
            per_text = sides.labels is not None and sides.labels.ndim == 1
        arrays = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
        return cls(**arrays, per_text=per_text)

    def batches(self, batch_size: int, *seed: int) -> list[np.ndarray]:
        """Every example once, in batches of like length; order drawn from the seed: numbers of examples.

        >>> sizes = np.array([2, 9, 2, 9])
        >>> some = Examples(np.zeros(22), np.zeros(4), sizes, sizes)
        >>> sorted(sizes[batch].tolist() for batch in some.batches(2, 0))
        [[2, 2], [9, 9]]
        """
        random = np.random.default_rng(seed)
        order = random.permutation(len(self))
        window = _WINDOW * batch_size
        batches: list[np.ndarray] = []
        for start in range(0, len(order), window):
            some = order[start : start + window]
            some = some[self._by_length(some)]
            batches += [some[first : first + batch_size] for first in range(0, len(some), batch_size)]
        return [batches[place] for place in random.permutation(len(batches))]

    def _by_length(self, some: np.ndarray) -> np.ndarray:
        """The order of some examples by length: of what is written step by step, that counts first."""
        if self.label_sizes is None:
            return np.argsort(self.sizes[some], kind="stable")
        return np.lexsort((self.sizes[some], self.label_sizes[some]))

    def padded(self, chosen: np.ndarray, padding: int) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
        """Inputs, each (batch, piece), and labels, (batch,) or (batch, piece), of some examples."""
        place, real = _places(self.sizes, self._first, chosen)
        inputs = {
            "input_ids": _rows(self.ids, place, real, padding),
            "attention_mask": torch.from_numpy(real).long(),
        }
        if self.types is not None:
            inputs["token_type_ids"] = _rows(self.types, place, real, 0)
        if self.per_text:
            return inputs, torch.from_numpy(self.labels[chosen].astype(np.int64))
        if self.label_sizes is not None:
            place, real = _places(self.label_sizes, self._first_label, chosen)
        return inputs, _rows(self.labels, place, real, IGNORED)

    @cached_property
    def _first(self) -> np.ndarray:
        return _before(self.sizes)

    @cached_property
    def _first_label(self) -> np.ndarray:
        assert self.label_sizes is not None
        return _before(self.label_sizes)


def _before(sizes: np.ndarray) -> np.ndarray:
    """Where each example begins among all."""
    first: np.ndarray = np.cumsum(sizes) - sizes
    return first


def _places(sizes: np.ndarray, first: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the pieces of some examples stand, and which of these places are real, both (batch, piece)."""
    column = np.arange(sizes[chosen].max())
    real = column < sizes[chosen][:, None]
    return np.where(real, first[chosen][:, None] + column, 0), real


def _rows(flat: np.ndarray, place: np.ndarray, real: np.ndarray, filling: int) -> torch.Tensor:
    return torch.from_numpy(np.where(real, flat[place], filling).astype(np.int64))


def _flat(sides: Sides) -> dict[str, np.ndarray]:
    """The arrays of a batch without its padding, as `Examples` names them."""
    assert sides.labels is not None
    real = sides.source.real
    labels = sides.labels.cpu().numpy()
    known = real if sides.target is None else sides.target.real
    arrays = {
        "ids": sides.source.ids[real],
        "labels": labels if labels.ndim == 1 else labels[known],
        "sizes": sides.source.lengths,
        "words": np.array([len(segment.words) for segment in sides.segments]),
    }
    if sides.target is not None:
        arrays["label_sizes"] = sides.target.lengths
    if "token_type_ids" in sides.inputs:
        arrays["types"] = sides.inputs["token_type_ids"].cpu().numpy()[real]
    return {name: array.astype(np.int32) for name, array in arrays.items()}

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
    """

    ids: np.ndarray
    labels: np.ndarray
    sizes: np.ndarray
    words: np.ndarray
    types: np.ndarray | None = None
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
            some = some[np.argsort(self.sizes[some], kind="stable")]
            batches += [some[first : first + batch_size] for first in range(0, len(some), batch_size)]
        return [batches[place] for place in random.permutation(len(batches))]

    def padded(self, chosen: np.ndarray, padding: int) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
        """Inputs, each (batch, piece), and labels, (batch,) or (batch, piece), of some examples."""
        sizes = self.sizes[chosen]
        column = np.arange(sizes.max())
        real = column < sizes[:, None]
        place = np.where(real, self._first[chosen][:, None] + column, 0)

        def rows(flat: np.ndarray, filling: int) -> torch.Tensor:
            return torch.from_numpy(np.where(real, flat[place], filling).astype(np.int64))

        inputs = {"input_ids": rows(self.ids, padding), "attention_mask": torch.from_numpy(real).long()}
        if self.types is not None:
            inputs["token_type_ids"] = rows(self.types, 0)
        if self.per_text:
            return inputs, torch.from_numpy(self.labels[chosen].astype(np.int64))
        return inputs, rows(self.labels, IGNORED)

    @cached_property
    def _first(self) -> np.ndarray:
        first: np.ndarray = np.cumsum(self.sizes) - self.sizes
        return first


def _flat(sides: Sides) -> dict[str, np.ndarray]:
    """The arrays of a batch without its padding, as `Examples` names them."""
    assert sides.labels is not None
    real = sides.source.real
    labels = sides.labels.cpu().numpy()
    arrays = {
        "ids": sides.source.ids[real],
        "labels": labels if labels.ndim == 1 else labels[real],
        "sizes": sides.source.lengths,
        "words": np.array([len(segment.words) for segment in sides.segments]),
    }
    if "token_type_ids" in sides.inputs:
        arrays["types"] = sides.inputs["token_type_ids"].cpu().numpy()[real]
    return {name: array.astype(np.int32) for name, array in arrays.items()}

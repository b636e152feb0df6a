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

    ids: (piece,). types: (piece,), where the model takes them. labels: one for each text (example,), or for
    each piece (piece,), -100 where it has none. sizes: (example,) pieces of each. words: (example,).
    """

    ids: np.ndarray
    types: np.ndarray | None
    labels: np.ndarray
    sizes: np.ndarray
    words: np.ndarray
    per_text: bool = True

    def __len__(self) -> int:
        return len(self.sizes)

    @classmethod
    def of(cls, prepared: Iterable[Sides]) -> Examples:
        """Take what a task has prepared; padding is left out."""
        parts, per_text = [], True
        for sides in prepared:
            parts.append(_flat(sides))
            per_text = sides.labels is not None and sides.labels.ndim == 1
        ids, types, labels, sizes, words = zip(*parts, strict=True)
        known = [row for row in types if row is not None]
        return cls(
            np.concatenate(ids),
            np.concatenate(known) if known else None,
            np.concatenate(labels),
            np.concatenate(sizes),
            np.concatenate(words),
            per_text,
        )

    def batches(self, batch_size: int, *seed: int) -> list[np.ndarray]:
        """Every example once, in batches of like length; order drawn from the seed: numbers of examples.

        >>> sizes = np.array([2, 9, 2, 9])
        >>> some = Examples(np.zeros(22), None, np.zeros(4), sizes, sizes)
        >>> sorted(sizes[batch].tolist() for batch in some.batches(2, 0))
        [[2, 2], [9, 9]]
        """
        random = np.random.default_rng(seed)
        order = random.permutation(len(self))
        window = _WINDOW * batch_size
        found: list[np.ndarray] = []
        for start in range(0, len(order), window):
            some = order[start : start + window]
            some = some[np.argsort(self.sizes[some], kind="stable")]
            found += [some[first : first + batch_size] for first in range(0, len(some), batch_size)]
        return [found[place] for place in random.permutation(len(found))]

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


def _flat(sides: Sides) -> tuple[np.ndarray, np.ndarray | None, np.ndarray, np.ndarray, np.ndarray]:
    """Ids, types, labels, sizes and words of a batch without its padding."""
    assert sides.labels is not None
    sizes = sides.source.lengths.astype(np.int32)
    real = np.arange(sides.source.ids.shape[1]) < sizes[:, None]
    types = sides.inputs.get("token_type_ids")
    labels = sides.labels.cpu().numpy().astype(np.int32)
    return (
        sides.source.ids[real].astype(np.int32),
        None if types is None else types.cpu().numpy()[real].astype(np.int32),
        labels if labels.ndim == 1 else labels[real],
        sizes,
        np.array([len(segment.words) for segment in sides.segments], np.int32),
    )

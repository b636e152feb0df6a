"""A head's mean output vector over a corpus: what mean ablation puts in a head's place."""

from __future__ import annotations

import torch

from headscope.attention.listen import Heard, Need
from headscope.heads import Head


class OutputMeans:
    """A listener that averages head outputs over real queries, in float64.

    Before each batch set `real` to (batch, query) bool: padding never counts.
    """

    needs: Need = "rows"

    def __init__(self) -> None:
        self.real: dict[str, torch.Tensor] = {}
        self._sums: dict[tuple[str, int], torch.Tensor] = {}
        self._counts: dict[tuple[str, int], int] = {}

    def hear(self, heard: Heard) -> None:
        key = heard.site.stack, heard.site.layer
        real = self.real[heard.site.stack][:, heard.rows]
        summed = (heard.outputs.double() * real[..., None, None]).sum((0, 1))
        self._sums[key] = self._sums.get(key, 0) + summed
        self._counts[key] = self._counts.get(key, 0) + int(real.sum())

    def result(self) -> dict[Head, torch.Tensor]:
        """(dim,) for each head."""
        return {
            Head(stack, layer, index): vector / self._counts[stack, layer]  # type: ignore[arg-type]
            for (stack, layer), vectors in self._sums.items()
            for index, vector in enumerate(vectors)
        }

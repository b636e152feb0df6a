"""A head's mean output vector over a corpus: what mean ablation puts in a head's place."""

from __future__ import annotations

from collections import Counter

import torch

from headscope.attention.listen import Heard, Need
from headscope.attention.site import Site
from headscope.heads import Head


class OutputMeans:
    """A listener that averages head outputs over real queries, in float64.

    Before each batch set `real` to (batch, query) bool: padding never counts.
    """

    needs: Need = "rows"

    def __init__(self) -> None:
        self.real: dict[str, torch.Tensor] = {}
        self._sums: dict[Site, torch.Tensor] = {}
        self._counts: Counter[Site] = Counter()

    def hear(self, heard: Heard) -> None:
        real = self.real[heard.site.stack][:, heard.rows]
        summed = (heard.outputs.double() * real[..., None, None]).sum((0, 1))
        self._sums[heard.site] = self._sums.get(heard.site, 0) + summed
        self._counts[heard.site] += int(real.sum())

    def result(self) -> dict[Head, torch.Tensor]:
        """(dim,) for each head."""
        return {
            head: vector / self._counts[site]
            for site, vectors in self._sums.items()
            for head, vector in zip(site, vectors, strict=True)
        }

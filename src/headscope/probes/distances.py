"""The baseline without a model, Clark et al. 2019, section 5: word vectors and distances, one hidden layer.

The eight distance features are those of the published code. Positions count words from 1; ROOT stands at
position 0, before the first word, and so has distances too.
"""

from __future__ import annotations

import torch
from torch import nn

from headscope.probes.attention import uniform
from headscope.probes.padded import Padded

HIDDEN = 256
NEAR = (0, -1, 1, -2, 2)
_CELLS = 4000


class DistanceProbe(nn.Module):
    """Logits from the vectors of dependent and candidate, `vectors` (row, dim), and their distance."""

    def __init__(self, generator: torch.Generator, vectors: torch.Tensor) -> None:
        super().__init__()
        self.vectors = vectors
        size = vectors.shape[1]
        limit = (6 / (2 * size + len(NEAR) + 3 + HIDDEN)) ** 0.5
        self.dependent = uniform((size, HIDDEN), limit, generator)
        self.candidate = uniform((size, HIDDEN), limit, generator)
        self.distance = uniform((len(NEAR) + 3, HIDDEN), limit, generator)
        self.bias = nn.Parameter(torch.zeros(HIDDEN))
        self.out = uniform((HIDDEN,), (6 / (HIDDEN + 1)) ** 0.5, generator)

    def forward(self, batch: Padded) -> torch.Tensor:
        """(sentence, word, 1 + word), ROOT first; nothing is masked yet."""
        # What lies in the hidden layer at once should fit the processor's cache.
        step = max(1, _CELLS // batch.rows.shape[1] ** 2)
        few = zip(torch.split(batch.rows, step), torch.split(torch.as_tensor(batch.sizes), step), strict=True)
        return torch.cat([self._logits(rows, sizes) for rows, sizes in few])

    def _logits(self, rows: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
        vectors = self.vectors[rows]
        dependents = vectors @ self.dependent + self.bias
        candidates = torch.cat([torch.zeros_like(vectors[:, :1]), vectors], 1) @ self.candidate
        distances = distance_features(sizes, rows.shape[1])
        # The first layer is linear, so its three parts are added up; in place, since they are large.
        hidden = (dependents[:, :, None] + candidates[:, None]).flatten(0, 2)
        hidden = hidden.addmm_(distances.flatten(0, 2), self.distance).tanh_()
        return (hidden @ self.out).view(distances.shape[:-1])


def distance_features(sizes: torch.Tensor, longest: int) -> torch.Tensor:
    """(sentence, word, 1 + word, 8): how far ahead and how far behind the candidate stands, as shares of the
    sentence; whether it is 0, 1 or 2 words away; and whether it is ROOT.

    >>> distance_features(torch.tensor([2]), 2)[0, 0, 2].tolist()
    [0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    """
    offset = torch.arange(longest + 1) - torch.arange(1, longest + 1)[:, None]
    ahead, behind = offset.clamp_min(0), (-offset).clamp_min(0)
    near = torch.stack([offset == step for step in NEAR], -1)
    is_root = (torch.arange(longest + 1) == 0).expand(longest, -1)[..., None]
    plain = torch.cat([near, is_root], -1).float()
    scaled = torch.stack([ahead, behind], -1) / sizes[:, None, None, None]
    return torch.cat([scaled, plain.expand(len(sizes), -1, -1, -1)], -1)

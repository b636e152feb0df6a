"""The attention probes of Clark et al. 2019, section 5: a word's head, read off all heads at once.

The logit of candidate j for word i is sum_k c_k a^k_ij + d_k a^k_ji, over heads k. Without words, c and d are
numbers (the attention-only probe). With words, c_k = W_k v_i + U_k v_j + b_k, and d_k likewise, for fixed
word vectors v (the attention-and-words probe). ROOT is a candidate too: its attention is that of the first
special token times one learned number plus that of the last one times another, as in the published code;
its vector is zero; and it has a bias of its own, so that models without special tokens can predict it.

Two differences from the published code: ROOT's zero vector stands at ROOT's own column (there, every
candidate got the vector of the word behind it), and a word cannot be its own head.
"""

from __future__ import annotations

import torch
from torch import nn

from headscope.probes.padded import Padded


class AttentionProbe(nn.Module):
    """Logits of ROOT and every word being the head of each word; with `vectors` (row, dim), words count.

    heads: how many maps there are. The weights of a head are `bias[k]` (as it attends) and
    `bias[heads + k]` (as it is attended), and with words those of `dependent` and `candidate` beside it.
    """

    def __init__(self, heads: int, generator: torch.Generator, vectors: torch.Tensor | None = None) -> None:
        super().__init__()
        directions = 2 * heads
        self.heads = heads
        self.vectors = vectors
        self.bias = uniform((directions,), (3 / directions) ** 0.5, generator)
        self.ends = nn.Parameter(torch.ones(2))
        self.root = nn.Parameter(torch.zeros(()))
        if vectors is not None:
            size = vectors.shape[1]
            limit = (6 / (2 * size + directions)) ** 0.5
            self.dependent = uniform((size, directions), limit, generator)
            self.candidate = uniform((size, directions), limit, generator)

    def forward(self, batch: Padded) -> torch.Tensor:
        """(sentence, word, 1 + word), ROOT first; nothing is masked yet."""
        root = torch.einsum("e,swed->swd", self.ends, batch.ends)
        if self.vectors is None:
            return torch.cat([(root @ self.bias + self.root)[..., None], batch.maps @ self.bias], -1)
        vectors = self.vectors[batch.rows]
        of_dependent = vectors @ self.dependent + self.bias
        of_candidate = vectors @ self.candidate
        # Seen from the candidate's row, the two directions have changed places.
        weights = torch.stack([of_dependent, of_candidate.roll(self.heads, -1)], -1)
        by_dependent, by_candidate = (batch.maps @ weights).unbind(-1)
        at_root = (root * of_dependent).sum(-1) + self.root
        return torch.cat([at_root[..., None], by_dependent + by_candidate.transpose(1, 2)], -1)

    def shares(self, batch: Padded) -> torch.Tensor:
        """What each head adds to the logits, (sentence, word, 1 + word, head); all but ROOT's bias."""
        root = torch.einsum("e,swed->swd", self.ends, batch.ends)
        of_dependent: torch.Tensor = self.bias
        weights: torch.Tensor = self.bias
        if self.vectors is not None:
            vectors = self.vectors[batch.rows]
            of_dependent = vectors @ self.dependent + self.bias
            weights = of_dependent[:, :, None] + (vectors @ self.candidate)[:, None]
        shares = torch.cat([(root * of_dependent)[:, :, None], batch.maps * weights], 2)
        return shares[..., : self.heads] + shares[..., self.heads :]


def uniform(shape: tuple[int, ...], limit: float, generator: torch.Generator) -> nn.Parameter:
    """Weights to begin with, drawn evenly between -limit and limit."""
    return nn.Parameter((2 * torch.rand(shape, generator=generator) - 1) * limit)

"""One weight taken away: the highest against a random other (Serrano and Smith 2019, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from headscope.explainers.asked import Asked
from headscope.explainers.given_attention import Scope, answers_given, erased, generators
from headscope.explainers.words import Words
from headscope.measures.information import jensen_shannon


@dataclass(frozen=True, eq=False)
class SingleWeights:
    """words: (answer, 2) the word of the highest weight, and another; -1 where a text has fewer than two.

    divergence: (answer, 2) Jensen-Shannon divergence of what is answered without its weight from what is
    answered with all; NaN without a word. flips: (answer, 2) bool, whether the decision changes.
    """

    words: torch.Tensor
    divergence: torch.Tensor
    flips: torch.Tensor


def single_weights(
    asked: Asked, words: Words, importance: torch.Tensor, scope: Scope = "last", seed: int = 0
) -> SingleWeights:
    """Erase one word from the rows that decide, and share its weight out among the rest.

    importance: (answer, word), by which the highest is found; ties go by place. The other is drawn evenly
    from all words but that one.
    """
    chosen = _chosen(asked, words, importance, seed)
    sets = torch.zeros(len(chosen), 3, words.most, dtype=torch.bool, device=chosen.device)
    sets[:, 1:].scatter_(2, chosen.clamp_min(0)[..., None], True)  # the first set is empty
    answered = answers_given(asked, erased(asked, words.pieces(sets)), 3, scope).exp()
    divergence = jensen_shannon(answered[:, 1:], answered[:, :1]).clamp_min(0)
    decisions = answered.argmax(-1)
    none = chosen < 0
    flips = (decisions[:, 1:] != decisions[:, :1]) & ~none
    return SingleWeights(chosen, divergence.masked_fill(none, torch.nan), flips)


def _chosen(asked: Asked, words: Words, importance: torch.Tensor, seed: int) -> torch.Tensor:
    """(answer, 2) words: the highest, and one of the others."""
    known = importance.masked_fill(importance.isnan() | ~words.real, -torch.inf)
    top = known.argmax(1).cpu().numpy()
    counts = words.counts.cpu().numpy()
    drawing = zip(generators(asked, seed), counts.tolist(), strict=True)
    drawn = np.array([random.integers(max(1, count - 1)) for random, count in drawing])
    other = drawn + (drawn >= top)  # a number among the others, as a place among all
    pair = np.where((counts > 1)[:, None], np.stack([top, other], 1), -1)
    return torch.from_numpy(pair).to(importance.device)

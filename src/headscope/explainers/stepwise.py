"""Words taken away one after the other, from all texts of a batch together."""

from __future__ import annotations

import torch

from headscope.explainers.asked import Asked
from headscope.explainers.removal import Judged, judged_without
from headscope.explainers.words import Words


def without_words(
    asked: Asked, words: Words, sets: torch.Tensor, how: str, wanted: torch.Tensor | None = None
) -> Judged:
    """What is answered without sets of words, bool (answer, ..., word): both (answer, ...).

    wanted: bool (answer, ...), all by default.
    """
    shape = sets.shape[:-1]
    pieces = words.pieces(sets.flatten(1, -2))
    judged = judged_without(asked, pieces, how, None if wanted is None else wanted.flatten(1))
    return Judged(judged.likelihood.reshape(shape), judged.decision.reshape(shape))


def one_more(
    asked: Asked, words: Words, gone: torch.Tensor, how: str, going_on: torch.Tensor
) -> tuple[Judged, torch.Tensor]:
    """What is answered without one word more, for each that is left: (answer, path, word), and which are.

    gone: bool (answer, path, word), what is gone already. going_on: bool (answer, path), who is asked.
    """
    left = ~gone & words.real[:, None] & going_on[..., None]
    single = torch.eye(gone.shape[2], dtype=torch.bool, device=gone.device)
    return without_words(asked, words, gone[:, :, None] | single, how, left), left

"""Pieces taken away one at a time: what becomes of the answer's log probability (Li et al. 2016)."""

from __future__ import annotations

import torch

from headscope.explainers.asked import Asked
from headscope.explainers.blank import why_no_blank
from headscope.explainers.explainer import Cost, Explainer
from headscope.explainers.removal import answered, changed_texts, log_likelihood

CERTAIN = 0.05
"""A log probability nearer to 0 than this is too small to divide by."""


def without(asked: Asked, removable: torch.Tensor, how: str) -> torch.Tensor:
    """Log probability of each answer without each piece, (answer, piece), NaN where it cannot be removed.

    removable: (answer, piece) bool.
    """
    result = torch.full(removable.shape, torch.nan, dtype=torch.float64, device=asked.ids.device)
    for answer, piece, logits in answered(asked, torch.diag_embed(removable), how, removable):
        result[answer, piece] = log_likelihood(logits, asked.entries[answer])
    return result


def _removable(asked: Asked, keeping_own: bool) -> torch.Tensor:
    """(answer, piece): what is seen and not special; without an answer's own place, where it must stay.

    A decoder needs one piece to answer at, and so does a model that adds none to a text.
    """
    removable = asked.seen & ~asked.special[asked.texts]
    if keeping_own and asked.model.shape == "encoder":
        places = torch.arange(removable.shape[1], device=removable.device)
        removable = removable & (places != asked.own[:, None])
    alone = asked.seen[:, : asked.sizes[0]].sum(1, keepdim=True) < 2
    return removable & ~alone if keeping_own else removable


def _occlusion(asked: Asked) -> torch.Tensor:
    """By how much the log probability falls with a blank in the place of the piece."""
    return _likelihood(asked) - without(asked, _removable(asked, keeping_own=False), "mask")


def _deletion(asked: Asked) -> torch.Tensor:
    """By how much the log probability falls without the piece."""
    return _likelihood(asked) - without(asked, _removable(asked, keeping_own=True), "deletion")


def _relative(asked: Asked) -> torch.Tensor:
    """The fall divided by the size of the log probability, unless that is near 0: Li et al. 2016, eq. 2."""
    before = _likelihood(asked)
    size = before.abs()
    return _occlusion(asked) / torch.where(size < CERTAIN, torch.ones_like(size), size)


def _likelihood(asked: Asked) -> torch.Tensor:
    """The log probability of each answer, (answer, 1)."""
    return log_likelihood(asked.answers(asked.hearing.logits), asked.entries)[:, None]


def _cost(asked: Asked, how: str) -> Cost:
    """The text as it is, and a changed one for each piece that some answer to it can do without."""
    removable = _removable(asked, keeping_own=how == "deletion")
    changed = len(changed_texts(asked, torch.diag_embed(removable), how, removable).texts)
    return Cost(1 / asked.answers_to_a_text + changed / len(asked.texts))


def _blanks(asked: Asked) -> Cost:
    return _cost(asked, "mask")


def _deletions(asked: Asked) -> Cost:
    return _cost(asked, "deletion")


ERASURE = (
    Explainer(
        "occlusion", "a blank for the piece", "Zeiler and Fergus 2014", "runs", _blanks, _occlusion,
        why_no_blank, signed=True,
    ),
    Explainer(
        "deletion", "the text without the piece", "Li et al. 2016", "runs", _deletions, _deletion, signed=True
    ),
    Explainer(
        "erasure", "relative fall of the log likelihood", "Li et al. 2016", "runs", _blanks, _relative,
        why_no_blank, signed=True,
    ),
)  # fmt: skip

"""The fewest words whose removal makes a model decide otherwise (Li et al. 2016, section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import torch

from headscope.explainers.asked import Asked
from headscope.explainers.stepwise import one_more, without_words
from headscope.explainers.words import Words, numbered

EXACT = 10
"""Words of a text up to which every set is tried."""


@dataclass(frozen=True)
class Flips:
    """removed: (answer, piece) bool, what is blanked out. flipped: (answer,) whether the decision changes.

    becomes: (answer,) what is answered then. given: (answer,) whether the text as it is was answered so; an
    answer that was never given cannot change.
    """

    removed: torch.Tensor
    flipped: torch.Tensor
    becomes: torch.Tensor
    given: torch.Tensor


def smallest_flips(asked: Asked, units: torch.Tensor, exact: int = EXACT) -> Flips:
    """For each answer a set of words without which its text is answered otherwise.

    units: (text, piece) the word of each piece, -1 for what stays. The word whose blank costs the most is
    taken first, then the next (greedy); texts of up to `exact` words have all smaller sets tried, so that
    theirs is the smallest there is. The paper learns the set by reinforcement. All answers go on together.
    """
    words = numbered(units[asked.texts].masked_fill(~asked.seen, -1))
    given = asked.answers(asked.hearing.logits).argmax(-1) == asked.entries
    found = _greedy(asked, words, given)
    _tried_out(asked, words, found, given & (words.counts <= exact))
    return Flips(words.pieces(found.gone[:, None])[:, 0], found.flipped, found.becomes, given)


@dataclass(frozen=True)
class _Found:
    """gone: (answer, word) bool, changed in place as better sets are found."""

    gone: torch.Tensor
    flipped: torch.Tensor
    becomes: torch.Tensor


def _greedy(asked: Asked, words: Words, given: torch.Tensor) -> _Found:
    """Take the word away that costs the most, until the answer is another or no word is left."""
    found = _Found(torch.zeros_like(words.real), torch.zeros_like(given), asked.entries.clone())
    rows = torch.arange(len(given), device=given.device)
    for step in range(words.most):
        going_on = given & ~found.flipped & (words.counts > step)
        judged, left = one_more(asked, words, found.gone[:, None], "mask", going_on[:, None])
        best = judged.likelihood.masked_fill(~left, torch.inf)[:, 0].argmin(1)
        found.gone[rows[going_on], best[going_on]] = True
        found.becomes[going_on] = judged.decision[rows, 0, best][going_on]
        found.flipped[going_on] = found.becomes[going_on] != asked.entries[going_on]
    return found


def _tried_out(asked: Asked, words: Words, found: _Found, tried: torch.Tensor) -> None:
    """Put the costliest of the smallest sets in the place of larger ones."""
    # A set of all words was tried already; where it changed nothing, no size is left out but that.
    limits = torch.where(found.flipped, found.gone.sum(1), words.counts)
    rows, most = torch.arange(len(limits), device=limits.device), int((words.counts * tried).max())
    for size in range(1, int((limits * tried).max())):
        chosen = torch.tensor(list(combinations(range(most), size)), device=limits.device)
        sets = torch.zeros(len(chosen), words.most, dtype=torch.bool, device=limits.device)
        sets = sets.scatter(1, chosen, True)[None].expand(len(limits), -1, -1)
        wanted = ((tried & (size < limits))[:, None]) & ~(sets & ~words.real[:, None]).any(2)
        judged = without_words(asked, words, sets, "mask", wanted)
        other = wanted & (judged.decision != asked.entries[:, None])
        best = judged.likelihood.masked_fill(~other, torch.inf).argmin(1)
        done = other.any(1)
        found.gone[done] = sets[rows, best][done]
        found.becomes[done] = judged.decision[rows, best][done]
        found.flipped[done] = True
        tried = tried & ~done

"""The fewest words whose removal makes a model decide otherwise (Li et al. 2016, section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import torch

from headscope.errors import ModelError
from headscope.explainers.asked import Asked
from headscope.explainers.blank import blank_of, why_no_blank
from headscope.explainers.embedding import inputs_of
from headscope.explainers.erasure import ROWS, log_likelihood

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
    theirs is the smallest there is. The paper learns the set by reinforcement.
    """
    reason, blank = why_no_blank(asked.model), blank_of(asked.model)
    if blank is None:
        raise ModelError(f"no word of {asked.model.name} can be taken away: {reason}")
    apart, words = asked.apart(), units[asked.texts]
    words = words.masked_fill(~asked.seen, -1)
    removed, flipped = torch.zeros_like(apart.seen), torch.zeros_like(apart.texts, dtype=torch.bool)
    given, becomes = asked.answers(asked.hearing.logits).argmax(-1) == asked.entries, asked.entries.clone()
    with torch.no_grad(), apart.attached() as module:
        tried = _Tried(apart, module, blank)
        for answer in given.nonzero()[:, 0].tolist():
            own = torch.unique(words[answer])
            sets = words[answer] == own[own >= 0][:, None]  # (word, piece)
            removed[answer], flipped[answer] = tried.smallest(answer, sets, exact)
            becomes[answer] = tried.logits(answer, removed[answer][None]).argmax()
    return Flips(removed, flipped, becomes, given)


@dataclass(frozen=True)
class _Tried:
    """Runs texts with blanks."""

    apart: Asked
    module: torch.nn.Module
    blank: int

    def smallest(self, answer: int, sets: torch.Tensor, exact: int) -> tuple[torch.Tensor, bool]:
        removed, flipped = self._greedy(answer, sets)
        count = int((sets & removed).any(1).sum())
        if len(sets) > exact:
            return removed, flipped
        for size in range(1, count if flipped else len(sets)):
            for some in _some(sets, size):
                likelihood, other = self._run(answer, some)
                if bool(other.any()):
                    best = likelihood.masked_fill(~other, torch.inf).argmin()
                    return some[best], True
        return removed, flipped

    def _greedy(self, answer: int, sets: torch.Tensor) -> tuple[torch.Tensor, bool]:
        removed = torch.zeros_like(self.apart.seen[answer])
        left = sets
        while len(left):
            likelihood, other = self._run(answer, left | removed)
            best = int(likelihood.argmin())
            removed, flipped = left[best] | removed, bool(other[best])
            if flipped:
                return removed, True
            left = torch.cat([left[:best], left[best + 1 :]])
        return removed, False

    def _run(self, answer: int, blanks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log probability of the answer, and whether another is likelier, (set,); blanks: (set, piece)."""
        logits = self.logits(answer, blanks)
        entries = self.apart.entries[answer].expand(len(logits))
        return log_likelihood(logits, entries), logits.argmax(-1) != entries

    def logits(self, answer: int, blanks: torch.Tensor) -> torch.Tensor:
        """Logits of all that could be answered, (set, entry); blanks: (set, piece)."""
        asked, parts = self.apart, []
        for some in torch.split(blanks, ROWS):
            rows = torch.full((len(some),), answer, device=some.device)
            ids = torch.where(some, self.blank, asked.ids[rows])
            logits = asked.run(self.module, inputs_of(asked, ids, rows))
            parts.append(logits if logits.ndim == 2 else logits[:, asked.places[answer]])
        return torch.cat(parts)


def _some(sets: torch.Tensor, size: int) -> Iterator[torch.Tensor]:
    """All unions of so many words, (union, piece), in portions."""
    chosen = torch.tensor(list(combinations(range(len(sets)), size)), device=sets.device)
    for numbers in torch.split(chosen, ROWS * 8):
        yield sets[numbers].any(1)

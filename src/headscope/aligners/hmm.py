"""The hidden Markov model of word alignment: where a word comes from depends on where the last one did.

Vogel et al. 1996: p(a_j = i | a_(j-1) = i') is proportional to a number for the jump i - i'. A target word
that comes from nothing keeps the place of the last one that came from something (Och and Ney 2003, 2.2).
Learnt by expectation maximisation, from t of IBM model 1 and equal jumps on; links are the likeliest path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from headscope.aligners.bitext import Bitext
from headscope.aligners.ibm1 import shares_of_owner, train_ibm1

ROUNDS = 5
FROM_NOTHING = 0.2
"""How likely a target word is to come from nothing, whatever it is: fixed, as in Och and Ney 2003."""

EVEN = 0.1
"""This part of a jump goes anywhere."""

_LEAST = 1e-12
"""The least chance of a word: so no path is impossible."""


@dataclass(frozen=True)
class Hmm:
    """What was learnt.

    chances: (parameter,) t(target word | source word). jumps: (jump,), from the farthest back to the
    farthest ahead.
    gained: (round,) the log-likelihood of all target words before each round.
    """

    chances: np.ndarray
    jumps: np.ndarray
    gained: np.ndarray

    def links(self, text: Bitext) -> np.ndarray:
        """(cell,) bool: the likeliest path of each pair."""
        links = np.zeros(text.grid.starts[-1], bool)
        _link(self.chances, self.jumps, text.parameter, text.nothing, *text.grid, links)
        return links


def train_hmm(text: Bitext, rounds: int = ROUNDS, chances: np.ndarray | None = None) -> Hmm:
    """Learn t and jumps from pairs; chances: t to begin with, that of IBM model 1 where it is not given."""
    chances = train_ibm1(text).chances if chances is None else chances
    jumps = np.ones(2 * int(text.grid.sources.max()) - 1)
    jumps, gained = jumps / len(jumps), np.empty(rounds)
    for number in range(rounds):
        counts, jumped = np.zeros(len(chances)), np.zeros(len(jumps))
        gained[number] = _expect(chances, jumps, text.parameter, text.nothing, *text.grid, counts, jumped)
        chances = shares_of_owner(counts, text.owner)
        jumps = (jumped + _LEAST) / (jumped + _LEAST).sum()
    return Hmm(chances, jumps, gained)


@njit(cache=True)
def _moves(jumps: Any, size: Any) -> Any:
    """The chance of each move (from, to) within so many source words, without that of nothing."""
    moves, middle = np.empty((size, size)), len(jumps) // 2
    for start in range(size):
        whole = 0.0
        for end in range(size):
            moves[start, end] = jumps[end - start + middle]
            whole += moves[start, end]
        for end in range(size):
            moves[start, end] = (1 - EVEN) * moves[start, end] / whole + EVEN / size
    return moves


@njit(cache=True)
def _emissions(
    chances: Any, parameter: Any, nothing: Any, first: Any, word: Any, rows: Any, size: Any
) -> Any:
    """The chance of each target word from each source word (row, size), and from nothing (row,)."""
    given, none = np.empty((rows, size)), np.empty(rows)
    for row in range(rows):
        none[row] = max(chances[nothing[word + row]], _LEAST)
        for column in range(size):
            given[row, column] = max(chances[parameter[first + row * size + column]], _LEAST)
    return given, none


@njit(cache=True)
def _expect(
    chances: Any, jumps: Any, parameter: Any, nothing: Any, sources: Any, targets: Any, starts: Any,
    counts: Any, jumped: Any,
) -> Any:  # fmt: skip
    """Add to counts (parameter,) and jumped how often each was used, by forward and backward sums."""
    word, gained, middle = 0, 0.0, len(jumps) // 2
    for pair in range(len(sources)):
        size, rows, first = sources[pair], targets[pair], starts[pair]
        moves = _moves(jumps, size)
        given, none = _emissions(chances, parameter, nothing, first, word, rows, size)
        # By place of the last source word: came from it (0), or from nothing since (1); each row sums to 1.
        ahead, whole = np.empty((rows, 2, size)), np.empty(rows)
        before, back, after = np.full(size, 1 / size), np.ones(size), np.empty(size)
        for row in range(rows):
            whole[row] = 0.0
            for end in range(size):
                reached = 0.0 if row else before[end]
                if row:
                    for start in range(size):
                        reached += before[start] * moves[start, end]
                ahead[row, 0, end] = (1 - FROM_NOTHING) * reached * given[row, end]
                ahead[row, 1, end] = FROM_NOTHING * before[end] * none[row]
                whole[row] += ahead[row, 0, end] + ahead[row, 1, end]
            for end in range(size):
                ahead[row, 0, end] /= whole[row]
                ahead[row, 1, end] /= whole[row]
                after[end] = ahead[row, 0, end] + ahead[row, 1, end]
            before, after = after, before
            gained += np.log(whole[row])
        for row in range(rows - 1, -1, -1):
            # What follows depends on the place alone, so both kinds have the same backward sum.
            for column in range(size):
                counts[parameter[first + row * size + column]] += ahead[row, 0, column] * back[column]
                counts[nothing[word + row]] += ahead[row, 1, column] * back[column]
            if row == 0:
                break
            for end in range(size):
                after[end] = (1 - FROM_NOTHING) * given[row, end] * back[end] / whole[row]
            for start in range(size):
                was = ahead[row - 1, 0, start] + ahead[row - 1, 1, start]
                back[start] *= FROM_NOTHING * none[row] / whole[row]
                for end in range(size):
                    follows = moves[start, end] * after[end]
                    jumped[end - start + middle] += was * follows
                    back[start] += follows
        word += rows
    return gained


@njit(cache=True)
def _link(
    chances: Any,
    jumps: Any,
    parameter: Any,
    nothing: Any,
    sources: Any,
    targets: Any,
    starts: Any,
    links: Any,
) -> None:
    """Viterbi's path of each pair."""
    word = 0
    for pair in range(len(sources)):
        size, rows, first = sources[pair], targets[pair], starts[pair]
        moves = _moves(jumps, size)
        given, none = _emissions(chances, parameter, nothing, first, word, rows, size)
        # The best way to each place; where it came from; and whether the word came from nothing.
        best, after = np.full(size, 1 / size), np.empty(size)
        place, from_nothing = np.empty((rows, size), np.int64), np.empty((rows, size), np.bool_)
        for row in range(rows):
            highest = 0.0
            for end in range(size):
                most, place[row, end] = best[end], end
                if row:
                    most = -1.0
                    for start in range(size):
                        if best[start] * moves[start, end] > most:
                            most, place[row, end] = best[start] * moves[start, end], start
                most *= (1 - FROM_NOTHING) * given[row, end]
                stays = best[end] * FROM_NOTHING * none[row]
                from_nothing[row, end] = stays > most
                if stays > most:
                    most, place[row, end] = stays, end
                after[end] = most
                highest = max(highest, most)
            for end in range(size):
                best[end] = after[end] / highest
        column = np.argmax(best)
        for row in range(rows - 1, -1, -1):
            links[first + row * size + column] = not from_nothing[row, column]
            column = place[row, column]
        word += rows

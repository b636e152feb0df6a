"""IBM model 1: each target word comes from any source word, or from none, wherever they stand.

Brown et al. 1993, section 4.1: p(f | e) is proportional to the product over target words f_j of the sum over
source words e_i, and nothing, of t(f_j | e_i). Learnt by expectation maximisation from equal t on, which has
one maximum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from headscope.aligners.bitext import Bitext

ROUNDS = 5


@dataclass(frozen=True)
class Ibm1:
    """What was learnt.

    chances: (parameter,) t(target word | source word). gained: (round,) the log-likelihood of all target
    words before each round, up to what no parameter changes.
    """

    chances: np.ndarray
    gained: np.ndarray

    def links(self, text: Bitext) -> np.ndarray:
        """(cell,) bool: the likeliest source word of each target word, where nothing is less likely."""
        links = np.zeros(text.grid.starts[-1], bool)
        _link(self.chances, text.parameter, text.nothing, *text.grid, links)
        return links


def train_ibm1(text: Bitext, rounds: int = ROUNDS) -> Ibm1:
    """Learn t from pairs."""
    chances = shares_of_owner(np.ones(len(text.owner)), text.owner)
    gained = np.empty(rounds)
    for number in range(rounds):
        counts = np.zeros(len(chances))
        gained[number] = _expect(chances, text.parameter, text.nothing, *text.grid, counts)
        chances = shares_of_owner(counts, text.owner)
    return Ibm1(chances, gained)


def shares_of_owner(counts: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Counts as shares of all counts of the same source word, (parameter,).

    >>> shares_of_owner(np.array([1.0, 3.0, 2.0]), np.array([0, 0, 1])).tolist()
    [0.25, 0.75, 1.0]
    """
    shares: np.ndarray = counts / np.maximum(np.bincount(owner, counts), 1e-300)[owner]
    return shares


@njit(cache=True)
def _expect(
    chances: Any, parameter: Any, nothing: Any, sources: Any, targets: Any, starts: Any, counts: Any
) -> Any:
    """Add to counts (parameter,) how often each is expected to have been used; the log-likelihood."""
    word, total = 0, 0.0
    for pair in range(len(sources)):
        size = sources[pair]
        for row in range(targets[pair]):
            own = parameter[starts[pair] + row * size : starts[pair] + (row + 1) * size]
            whole = chances[nothing[word]]
            for column in range(size):
                whole += chances[own[column]]
            counts[nothing[word]] += chances[nothing[word]] / whole
            for column in range(size):
                counts[own[column]] += chances[own[column]] / whole
            total += np.log(whole / (size + 1))
            word += 1
    return total


@njit(cache=True)
def _link(
    chances: Any, parameter: Any, nothing: Any, sources: Any, targets: Any, starts: Any, links: Any
) -> None:
    word = 0
    for pair in range(len(sources)):
        size = sources[pair]
        for row in range(targets[pair]):
            first = starts[pair] + row * size
            best, most = -1, chances[nothing[word]]
            for column in range(size):
                if chances[parameter[first + column]] > most:
                    best, most = column, chances[parameter[first + column]]
            if best >= 0:
                links[first + best] = True
            word += 1

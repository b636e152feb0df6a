"""Random dependency trees: what a tree without the words would look like.

Heads are written (word,) with -1 for the one word that depends on no other. Every tree has a key of its own,
a number of 64 bits from which all its random numbers follow: so it does not depend on what was drawn before
it.

- arc-standard: a transition parser that takes any possible action with equal chance, over shuffled words
  (papers
  on attention and trees use it). Not uniform over trees: they are flatter.
- uniform: every rooted tree is as likely as any other (Prüfer 1918).
- weighted: a tree is as likely as the product of the weights of its arcs; `matched_trees` fits these.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

ROOT = -1
"""The head of the word that depends on no other."""

_STEP, _MIX, _MIX_AGAIN = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)


def arc_standard_trees(keys: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Trees of a transition parser that acts at random over shuffled words: (text, longest), ROOT beyond.

    keys: (text,) uint64. words: (text,), how many each text has.

    >>> arc_standard_trees(np.array([3], np.uint64), np.array([2])).tolist() in ([[-1, 0]], [[1, -1]])
    True
    """
    heads = np.full((len(words), int(words.max(initial=0))), ROOT)
    for text, size in enumerate(words):
        _arc_standard(np.array([keys[text]], np.uint64), heads[text, :size])
    return heads


def uniform_trees(keys: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Trees drawn with equal chance from all n^(n - 1) rooted ones: (text, longest), ROOT beyond."""
    heads = np.full((len(words), int(words.max(initial=0))), ROOT)
    for text, size in enumerate(words):
        _uniform(np.array([keys[text]], np.uint64), heads[text, :size])
    return heads


def weighted_tree(key: int, up: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """A tree as likely as the product of its arcs' weights, (word,), by Wilson's algorithm (1996).

    up: (word, word), for each word the running sums of the chances of its heads, up to 1. roots: (word,), the
    running sums of the chance of each word to be the root.
    """
    heads = np.full(len(roots), ROOT)
    _wilson(np.array([key], np.uint64), up, roots, heads)
    return heads


@njit(cache=True)
def _chance(state: Any) -> Any:
    """The next random number from 0 to below 1 (splitmix64, Steele et al. 2014)."""
    state[0] += _STEP
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_AGAIN
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.float64(mixed >> np.uint64(11)) * 2.0**-53


@njit(cache=True)
def _arc_standard(state: Any, heads: Any) -> None:
    words = len(heads)
    buffer = np.arange(words)
    for place in range(words - 1, 0, -1):
        other = int(_chance(state) * (place + 1))
        buffer[place], buffer[other] = buffer[other], buffer[place]
    stack = np.empty(words, np.int64)
    size, taken = 0, 0
    # The last word on the stack depends on ROOT, which so has one child.
    while taken < words or size > 1:
        can_shift, can_link = taken < words, size > 1
        action = int(_chance(state) * (can_shift + 2 * can_link))
        if can_shift and action == 0:
            stack[size] = buffer[taken]
            size, taken = size + 1, taken + 1
        else:
            first, second = stack[size - 2], stack[size - 1]
            left = action - can_shift == 0
            heads[first if left else second] = second if left else first
            stack[size - 2] = second if left else first
            size -= 1
    if words:
        heads[stack[0]] = ROOT


@njit(cache=True)
def _uniform(state: Any, heads: Any) -> None:
    """Decode a random Prüfer sequence into a tree below the last word, then hang it up at a random one."""
    words = len(heads)
    if words < 2:
        heads[:] = ROOT
        return
    sequence = np.empty(words - 2, np.int64)
    degree = np.ones(words, np.int64)
    for place in range(words - 2):
        sequence[place] = int(_chance(state) * words)
        degree[sequence[place]] += 1
    pointer = 0
    while degree[pointer] != 1:
        pointer += 1
    leaf: Any = pointer
    for parent in sequence:
        heads[leaf] = parent
        degree[parent] -= 1
        if degree[parent] == 1 and parent < pointer:
            leaf = parent
        else:
            pointer += 1
            while degree[pointer] != 1:
                pointer += 1
            leaf = pointer
    heads[leaf] = words - 1
    heads[words - 1] = ROOT
    word: Any = int(_chance(state) * words)
    above: Any = ROOT
    while word != ROOT:
        below = heads[word]
        heads[word] = above
        above = word
        word = below


@njit(cache=True)
def _wilson(state: Any, up: Any, roots: Any, heads: Any) -> None:
    words = len(heads)
    inside = np.zeros(words, np.bool_)
    root = min(np.searchsorted(roots, _chance(state), side="right"), words - 1)
    inside[root] = True
    heads[root] = ROOT
    for start in range(words):
        word = start
        while not inside[word]:  # walk until the tree is met; a later visit overwrites, which erases loops
            heads[word] = min(np.searchsorted(up[word], _chance(state), side="right"), words - 1)
            word = heads[word]
        word = start
        while not inside[word]:
            inside[word] = True
            word = heads[word]

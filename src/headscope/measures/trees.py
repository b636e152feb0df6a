"""Dependency trees of scores: the best tree with one root, and how two sets of heads agree.

Heads are written (word,) with 0 for ROOT and j + 1 for word j; scores (word, word + 1) have ROOT as their
first column. UAS counts words whose head is right. UUAS counts undirected edges between words.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

NEVER = -1e30
"""The score of an arc that no tree may use; finite, so that differences stay numbers."""


def best_tree(scores: np.ndarray) -> np.ndarray:
    """Heads (word,) of the spanning tree with the highest sum of scores and exactly one child of ROOT.

    Chu and Liu 1965, Edmonds 1967. What a word scores for itself is not looked at. Adding a number to all
    scores of a word changes no tree, so logits and log probabilities give the same one.

    scores: (word, word + 1), ROOT first; each word's candidates are its row.

    >>> best_tree(np.array([[3.0, 0.0, 2.0], [4.0, 5.0, 0.0]]))
    array([0, 1])
    """
    words = len(scores)
    arcs = np.full((2 * words + 1, 2 * words + 1), NEVER)  # [head, dependent], room for contracted cycles
    arcs[: words + 1, 1 : words + 1] = np.nan_to_num(scores.T.astype(np.float64), neginf=NEVER)
    usable = arcs[arcs > NEVER]
    # A fee for leaving ROOT that no gain elsewhere can outweigh: the best tree then pays it once.
    spread = float(np.ptp(usable)) if usable.size else 0.0
    arcs[0, 1 : words + 1] -= (spread + 1.0) * (words + 1)
    return _edmonds(arcs, words)


@njit(cache=True)
def _edmonds(arcs: Any, words: int) -> Any:
    """Contract cycles of best arcs until there is none, then open them again, the last one first."""
    size = len(arcs)
    active = np.arange(size) <= words
    inside = np.full(size, -1)  # the contracted node that a node went into
    from_head, to_word = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    for node in range(size):
        from_head[node, :], to_word[:, node] = node, node
    best = np.full(size, -1)
    nodes = words + 1
    while True:
        _choose_best(arcs, active, best)
        cycle = _find_cycle(active, best, nodes)
        if not cycle.any():
            break
        _contract(arcs, active, best, cycle, nodes, from_head, to_word)
        inside[np.flatnonzero(cycle)] = nodes
        nodes += 1
    head, word = np.zeros(size, np.int64), np.zeros(size, np.int64)  # the arc into each node, as it began
    for node in range(1, nodes):
        head[node], word[node] = from_head[best[node], node], to_word[best[node], node]
    for node in range(nodes - 1, words, -1):
        member = word[node]
        while inside[member] != node:
            member = inside[member]
        head[member], word[member] = head[node], word[node]
    return head[1 : words + 1]


@njit(cache=True)
def _choose_best(arcs: Any, active: Any, best: Any) -> None:
    """Give each active node but ROOT the head of its best arc; the first of equal ones."""
    for node in range(1, len(arcs)):
        if active[node]:
            chosen = -1
            for head in range(len(arcs)):
                if active[head] and head != node and (chosen < 0 or arcs[head, node] > arcs[chosen, node]):
                    chosen = head
            best[node] = chosen


@njit(cache=True)
def _find_cycle(active: Any, best: Any, nodes: int) -> Any:
    """(node,) bool: the members of one cycle of best arcs, none if there is no cycle."""
    members = np.zeros(len(active), np.bool_)
    seen = np.zeros(len(active), np.int64)  # in which walk
    for start in range(1, nodes):
        if not active[start]:
            continue
        node = start
        while node > 0 and seen[node] == 0:
            seen[node] = start
            node = best[node]
        if node > 0 and seen[node] == start:
            while not members[node]:
                members[node] = True
                node = best[node]
            return members
    return members


@njit(cache=True)
def _contract(arcs: Any, active: Any, best: Any, cycle: Any, new: int, from_head: Any, to_word: Any) -> None:
    """Make one node of a cycle: arcs into it are worth what they gain over the arc that they break."""
    members = np.flatnonzero(cycle)
    for member in members:
        active[member] = False
    for other in range(new):
        if not active[other]:
            continue
        enter, leave = members[0], members[0]
        for member in members:
            gain = arcs[other, member] - arcs[best[member], member]
            if gain > arcs[other, enter] - arcs[best[enter], enter]:
                enter = member
            if arcs[member, other] > arcs[leave, other]:
                leave = member
        arcs[other, new] = arcs[other, enter] - arcs[best[enter], enter]
        from_head[other, new], to_word[other, new] = from_head[other, enter], to_word[other, enter]
        arcs[new, other] = arcs[leave, other]
        from_head[new, other], to_word[new, other] = from_head[leave, other], to_word[leave, other]
    active[new] = True


def right_branching(words: int) -> np.ndarray:
    """Heads (word,) of the chain in which each word depends on the next and the last one on ROOT.

    >>> right_branching(3)
    array([2, 3, 0])
    """
    heads = np.arange(2, words + 2)
    heads[-1:] = 0
    return heads


def attachments(predicted: np.ndarray, gold: np.ndarray, counted: np.ndarray) -> tuple[int, int]:
    """Words whose head is right, and words that count (UAS); all arrays are (word,).

    >>> attachments(np.array([2, 0, 2]), np.array([2, 0, 1]), np.array([True, True, True]))
    (2, 3)
    """
    return int(((predicted == gold) & counted).sum()), int(counted.sum())


def edges(predicted: np.ndarray, gold: np.ndarray, counted: np.ndarray) -> tuple[int, int]:
    """Gold edges between counted words that are predicted in either direction, and how many there are (UUAS).

    As Hewitt and Manning 2019 count: no edge to ROOT, none with an end that does not count.

    >>> edges(np.array([2, 1, 2]), np.array([2, 0, 2]), np.array([True, True, True]))
    (2, 2)
    """
    dependent = np.flatnonzero((gold > 0) & counted)
    head = gold[dependent] - 1
    dependent, head = dependent[counted[head]], head[counted[head]]
    right = (predicted[dependent] == head + 1) | (predicted[head] == dependent + 1)
    return int(right.sum()), len(right)

"""How close attention comes to distributions over words, compiled for the CPU.

For every head and column (a target of a tree): the Kullback-Leibler divergence of attention from the target,
which is the cross entropy where the target is one word; the weight on the target; and the rank of its words
among those that can be seen. Attention is that between words, as parts of what goes to words at all. Even
attention over the words that can be seen is measured in the same way, as one more head.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numba import njit

from headscope.measures.targets import FARTHEST, Entries
from headscope.measures.threads import on_threads
from headscope.measures.words import Pieces, as_array, fill_map

LEAST = np.float32(np.finfo(np.float32).tiny)
"""A weight that is 0 in single precision counts as the smallest one: so no divergence is above 87.3 nats."""

DIVERGENCE, WEIGHT, RANK = range(3)
SUMS = 3
ON_WORDS, MOST, RECEIVED, SQUARES, FREQUENCY, TF_IDF = range(6)
RECEPTION = 6

_EXP = np.append(np.exp(-np.arange(FARTHEST, dtype=np.float64)), 0.0).astype(np.float32)


class Seen(NamedTuple):
    """Targets as far as they can be seen.

    visible: (batch, word, word) bool, the words that each word can look at. entries: those of visible words;
    distances: (batch, tree, word, word). Each (batch, column): asked, words that have a target; reached, how
    much of their targets can be seen; own, minus the entropy of what can be seen, as the divergence has it.
    """

    visible: np.ndarray
    entries: Entries
    distances: np.ndarray
    asked: np.ndarray
    reached: np.ndarray
    own: np.ndarray


def see(entries: Entries, distances: np.ndarray, there: np.ndarray, visible: np.ndarray) -> Seen:
    """Keep what can be seen of targets; what cannot be seen counts by how much there is of it.

    entries: of listed targets, the first columns but for those of own distributions, which come behind the
    columns of `distances`. A target of which the part s is visible is held against attention as that part,
    scaled to 1, and counts s times.
    """
    batch, columns = entries.starts.shape
    trees = distances.shape[1]
    asked, reached, own = (np.zeros((batch, columns + trees)) for _ in range(3))
    kept = Entries(*(np.empty_like(part) for part in entries))
    _see(*entries, *kept, distances, there, visible, asked, reached, own)
    return Seen(visible, kept, distances, asked, reached, own)


def measure(
    weights: torch.Tensor,
    pieces: Pieces,
    words: np.ndarray,
    seen: Seen,
    there: np.ndarray,
    rarity: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Sums over the words of each text: (batch, head + 1, column, 3) and (batch, head + 1, 6); even comes
    last.

    weights: (batch, head, piece, piece). rarity: (batch, 2, word), frequency and TF-IDF of each word. The
    first are divergence, weight and rank, each times what can be seen of the target. The second are: how much
    goes to words; the share of the word that receives most; and of what words receive, times their number,
    the sum, that of squares, and those of products with each rarity.
    """
    array = as_array(weights)
    batch, heads = array.shape[:2]
    close = np.zeros((batch, heads + 1, seen.asked.shape[1], SUMS))
    reception = np.zeros((batch, heads + 1, RECEPTION))
    given = (
        array, pieces, words, seen.visible, *seen.entries, seen.distances, there, rarity, close, reception
    )  # fmt: skip
    on_threads(lambda start, stop: _measure(*given, start, stop), heads + 1)
    close[..., DIVERGENCE] += seen.own[:, None]
    return close, reception


@njit(cache=True)
def _see(
    query: Any, key: Any, share: Any, starts: Any, ends: Any, kept_query: Any, kept_key: Any, kept_share: Any,
    kept_starts: Any, kept_ends: Any, distances: Any, there: Any, visible: Any, asked: Any, reached: Any, own:
    Any,
) -> None:  # fmt: skip
    batch, columns = starts.shape
    trees, longest = distances.shape[1:3]
    listed = 2 * trees
    place = 0
    whole, part = np.zeros(longest), np.zeros(longest)
    for text in range(batch):
        sees = visible[text]
        for column in range(columns):
            shown = column if column < listed else column + trees
            whole[:], part[:] = 0, 0
            kept_starts[text, column] = place
            for entry in range(starts[text, column], ends[text, column]):
                word, other, mass = query[entry], key[entry], share[entry]
                whole[word] += mass
                if mass > 0 and sees[word, other]:
                    part[word] += mass
                    own[text, shown] += mass * np.log(mass)
                    kept_query[place], kept_key[place], kept_share[place] = word, other, mass
                    place += 1
            kept_ends[text, column] = place
            _close(whole, part, text, shown, asked, reached, own)
        for tree in range(trees):
            if there[text, tree]:
                whole[:], part[:] = 0, 0
                own[text, listed + tree] += _see_distances(distances[text, tree], sees, whole, part)
                _close(whole, part, text, listed + tree, asked, reached, own)


@njit(cache=True)
def _see_distances(far: Any, sees: Any, whole: Any, part: Any) -> Any:
    """Add up the target of each word, all of it and what can be seen; minus the entropy of the latter."""
    own = 0.0
    words = len(far)
    for word in range(words):
        total = _total(far[word])
        for other in range(words):
            if far[word, other] < FARTHEST:
                mass = _EXP[far[word, other]] / total
                whole[word] += mass
                if sees[word, other]:
                    part[word] += mass
                    own += mass * np.log(mass)
    return own


@njit(cache=True)
def _total(far: Any) -> Any:
    total = 0.0
    for other in range(len(far)):
        total += _EXP[far[other]]
    return total


@njit(cache=True)
def _close(whole: Any, part: Any, text: int, column: int, asked: Any, reached: Any, own: Any) -> None:
    for word in range(len(whole)):
        if whole[word] > 0:
            asked[text, column] += 1
            reached[text, column] += part[word]
            if part[word] > 0:
                own[text, column] -= part[word] * np.log(part[word])


@njit(cache=True)
def _normalise(map: Any, sees: Any) -> Any:
    """Make each row add up to 1 over the words it sees, with -1 for others; what went to words before."""
    words, on_words = len(map), 0.0
    for query in range(words):
        row = map[query, :words]
        mass = 0.0
        for key in range(words):
            if sees[query, key]:
                mass += row[key]
        on_words += mass
        share = np.float32(1 / mass) if mass > 0 else np.float32(0)
        for key in range(words):
            row[key] = row[key] * share if sees[query, key] else np.float32(-1)
    return on_words


@njit(cache=True)
def _spread_evenly(map: Any, sees: Any) -> None:
    words = len(map)
    for query in range(words):
        count = 0
        for key in range(words):
            count += sees[query, key]
        for key in range(words):
            map[query, key] = np.float32(1) / np.float32(count) if sees[query, key] else 0


@njit(cache=True)
def _rank(row: Any, key: int) -> Any:
    """1 and how many are above it; those that are level count half."""
    value, above, level = row[key], 0, 0
    for other in range(len(row)):
        above += row[other] > value
        level += row[other] == value
    return above + (level + 1) / 2


@njit(cache=True)
def _receive(map: Any, rarity: Any, sums: Any) -> None:
    words = len(map)
    received = np.zeros(words)
    for query in range(words):
        for key in range(words):
            received[key] += max(map[query, key], np.float32(0))
    total = received.sum()
    if total > 0:
        sums[MOST] = received.max() / total
        for word in range(words):
            part = received[word] / total * words
            sums[RECEIVED] += part
            sums[SQUARES] += part * part
            sums[FREQUENCY] += part * rarity[0, word]
            sums[TF_IDF] += part * rarity[1, word]


@njit(cache=True)
def _by_distance(map: Any, logs: Any, far: Any, sums: Any) -> None:
    words = len(map)
    for query in range(words):
        total = _total(far[query])
        if total == 0:
            continue
        cross, weight = np.float32(0), np.float32(0)
        for key in range(words):
            mass = _EXP[far[query, key]]
            cross += mass * logs[query, key]  # 0 for words that cannot be seen
            weight += mass * max(map[query, key], np.float32(0))
        sums[DIVERGENCE] -= cross / total
        sums[WEIGHT] += weight / total


@njit(nogil=True, cache=True)
def _measure(
    weights: Any, pieces: Any, words: Any, visible: Any, query: Any, key: Any, share: Any, starts: Any, ends:
    Any, distances: Any, there: Any, rarity: Any, close: Any, reception: Any, start: int, stop: int,
) -> None:  # fmt: skip
    heads = weights.shape[1]
    batch, columns = starts.shape
    trees, longest = distances.shape[1:3]
    listed = 2 * trees
    for item in range(start, stop):
        room, logarithms = (
            np.empty((longest, longest + 1), np.float32),
            np.empty((longest, longest), np.float32),
        )
        for text in range(batch):
            size = words[text]
            map, logs, sees = room[:size, : size + 1], logarithms[:size, :size], visible[text]
            if item < heads:
                fill_map(weights[text, item], pieces, text, map)
            else:
                _spread_evenly(map, sees)
            reception[text, item, ON_WORDS] = _normalise(map, sees)
            for word in range(size):
                for other in range(size):
                    value = map[word, other]
                    logs[word, other] = np.log(max(value, LEAST)) if value >= 0 else np.float32(0)
            inside = map[:, :size]
            _receive(inside, rarity[text], reception[text, item])
            for column in range(columns):
                sums = close[text, item, column if column < listed else column + trees]
                for entry in range(starts[text, column], ends[text, column]):
                    word, other, mass = query[entry], key[entry], share[entry]
                    sums[DIVERGENCE] -= mass * logs[word, other]
                    sums[WEIGHT] += mass * inside[word, other]
                    sums[RANK] += mass * _rank(inside[word], other)
            for tree in range(trees):
                if there[text, tree]:
                    far = distances[text, tree]
                    _by_distance(inside, logs, far[:size, :size], close[text, item, listed + tree])

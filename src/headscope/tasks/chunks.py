"""Chunks of words, such as phrases and names, that tags mark: B-NP begins a chunk of type NP, I-NP goes on.

Tjong Kim Sang and Buchholz 2000, section 5, and the rules of the shared tasks' scorer: a chunk also begins
where I- follows O or a chunk of another type, so that no tagging is invalid. E- ends a chunk, S- is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

_TAG = re.compile(r"O|[BIES]-.+")
_OUTSIDE = -1


def are_chunk_tags(tags: Iterable[str]) -> bool:
    """Whether all tags are O or have a prefix B-, I-, E- or S-.

    >>> are_chunk_tags(["O", "B-NP", "I-NP"]), are_chunk_tags(["NOUN", "O"])
    (True, False)
    """
    return all(_TAG.fullmatch(tag) for tag in tags)


def unseen_tags(tags: Sequence[str]) -> list[str]:
    """The tags of chunks that are not there, though their prefix and their type are; none for other tags.

    Rare types leave such gaps in training data (in CoNLL-2000, I-LST).

    >>> unseen_tags(["O", "B-NP", "I-NP", "B-LST"])
    ['I-LST']
    """
    if not are_chunk_tags(tags):
        return []
    inside = [tag.partition("-") for tag in tags if tag != "O"]
    prefixes, types = (dict.fromkeys(part[place] for part in inside) for place in (0, 2))
    possible = (f"{prefix}-{kind}" for kind in types for prefix in prefixes)
    return [tag for tag in possible if tag not in tags]


class Chunks:
    """Counts chunks of tags that are given by number; -1 stands for O, also behind the end of a sentence.

    >>> chunks = Chunks(["O", "B-NP", "I-NP"])
    >>> chunks.count(np.array([[1, 2, 0, 1]]), np.array([[1, 2, 0, 0]]))
    array([[1., 1., 2.]])
    """

    def __init__(self, tags: Sequence[str]) -> None:
        parts = [tag.partition("-") for tag in (*tags, "O")]  # the last one is reached as number -1
        types = sorted({kind for _, _, kind in parts if kind})
        self._types = np.array([types.index(kind) if kind else _OUTSIDE for _, _, kind in parts])
        self._opens = np.array([prefix in ("B", "S") for prefix, _, _ in parts])
        self._closes = np.array([prefix in ("E", "S") for prefix, _, _ in parts])

    def count(self, gold: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        """Correct, predicted and true chunks of each sentence; (batch, word) twice to (batch, 3) float64.

        A chunk is correct if it has the words and the type of a true one.
        """
        true, answer = self._chunks(gold), self._chunks(predicted)
        counted = [(true == answer) & (true >= 0), answer >= 0, true >= 0]
        return np.stack([where.sum(1) for where in counted], axis=1).astype(np.float64)

    def count_words(self, gold: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        """The same of words inside chunks, wherever these begin and end: right where the type is right.

        >>> chunks = Chunks(["O", "B-NP", "I-NP"])
        >>> chunks.count_words(np.array([[1, 2, 0, 1]]), np.array([[2, 0, 0, 1]]))
        array([[2., 2., 3.]])
        """
        true, answer = self._types[gold], self._types[predicted]
        counted = [(true == answer) & (true != _OUTSIDE), answer != _OUTSIDE, true != _OUTSIDE]
        return np.stack([where.sum(1) for where in counted], axis=1).astype(np.float64)

    def _chunks(self, tags: np.ndarray) -> np.ndarray:
        """For each word that begins a chunk, a number for its type and end; -1 for others, (batch, word)."""
        types = self._types[tags]
        inside = types != _OUTSIDE
        before = np.pad(types, ((0, 0), (1, 0)), constant_values=_OUTSIDE)[:, :-1]
        closed = np.pad(self._closes[tags], ((0, 0), (1, 0)))[:, :-1]
        starts = inside & (self._opens[tags] | closed | (types != before))
        size = tags.shape[1]
        breaks = np.where(starts | ~inside, np.arange(size), size)
        breaks = np.pad(breaks, ((0, 0), (0, 1)), constant_values=size)[:, 1:]
        stops = np.minimum.accumulate(breaks[:, ::-1], axis=1)[:, ::-1]
        return np.where(starts, types * (size + 1) + stops, -1)

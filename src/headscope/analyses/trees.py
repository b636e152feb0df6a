"""What the trees of a batch ask of the heads: which words count for which relation, and what is right.

Three readings of "the head knows the relation" (Clark et al. 2019, section 4.2):

- dep->head: the dependent's most attended other word is its head.
- head<-dep: the word that attends most to the dependent is its head. So the published code reads "head to
  dependent".
- head->dep: the head word's most attended other word is one of its dependents in the relation. So the
  paper's text reads it; it counts once per head word and relation.

A causal model sees no later words: then a pair counts only where the word that attends is the later one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headscope.errors import InputError
from headscope.tallies import block_of
from headscope.text import Dependencies, Segment, has_piece

READINGS = ("dep->head", "head<-dep", "head->dep")
POSSESSIVES = ("poss", "nmod:poss")
_MARKS = ("'s", "’s", "'", "’", "s'", "s’")


@dataclass(frozen=True)
class Trees:
    """The words of a batch that count, one row each, and all words behind them.

    Shapes: numbers (batch, piece); words and known (batch,), how many words there are and how many of them
    have pieces; blocks (batch,); text, word, head, relation, block, asked are (row,): in which text a
    dependent stands, its place and that of its head, its relation's number, the block of its document, and
    whose attention is asked in its stead. reached is (row, reading) bool; `new` is (row,) bool, the first row
    of its head word and relation.
    """

    numbers: np.ndarray
    words: np.ndarray
    known: np.ndarray
    blocks: np.ndarray
    text: np.ndarray
    word: np.ndarray
    head: np.ndarray
    relation: np.ndarray
    block: np.ndarray
    asked: np.ndarray
    reached: np.ndarray
    new: np.ndarray

    @classmethod
    def of(
        cls, segments: Sequence[Segment], relations: dict[str, int], causal: bool, possessive: bool
    ) -> Trees:
        """Take the trees of a batch; relations that have no number do not count."""
        rows = [_rows(segment, relations, possessive) for segment in segments]
        blocks = np.array([block_of(segment.document) for segment in segments])
        sizes = [len(one) for one in rows]
        text = np.repeat(np.arange(len(rows)), sizes)
        word, head, relation, asked = np.concatenate(rows).T
        reached, new = _reached(text, word, head, relation, causal)
        words = np.array([len(segment.words) for segment in segments])
        known = np.array([has_piece(segment).sum() for segment in segments])
        return cls(
            padded_words(segments), words, known, blocks,
            text, word, head, relation, blocks[text], asked, reached, new,
        )  # fmt: skip

    def right(self, to: np.ndarray, by: np.ndarray) -> np.ndarray:
        """What is right, (row, item, reading), for predictions (batch, item, word)."""
        text, word, head = self.text, self.word[:, None], self.head[:, None]
        found = [
            to[text, :, self.asked] == head,
            by[text, :, self.asked] == head,
            # A head word has one favourite, so of all its dependents at most one makes this true.
            to[text, :, self.head] == word,
        ]
        right: np.ndarray = np.stack(found, axis=-1) & self.reached[:, None]
        return right

    def counts(self) -> np.ndarray:
        """What could be right in each reading; and every word and head word, reached or not: (row, 5)."""
        every = np.ones_like(self.new)
        bearing = _first(self.text, self.head, self.relation, every)
        return np.stack([*self.reached.T[:2], self.new, every, bearing], axis=1).astype(np.float64)

    def neighbours(self, offsets: np.ndarray) -> np.ndarray:
        """The word at each offset, (batch, offset, word); -1 beyond the ends."""
        longest = int(self.words.max())
        place = np.arange(longest) + offsets[:, None]
        inside = (place >= 0) & (place < self.words[:, None, None])
        return np.where(inside, place, -1)


def tree_of(segment: Segment) -> Dependencies:
    """The tree over a segment's words."""
    tree = None if segment.part is None else segment.part.dependencies
    if tree is None:
        raise InputError(f"document '{segment.document}' has no trees; read a treebank, or parse the text")
    return tree


def padded_words(segments: Sequence[Segment]) -> np.ndarray:
    """The word of every piece, (batch, piece); -1 for special pieces and padding."""
    numbers = np.full((len(segments), max(len(segment) for segment in segments)), -1)
    for row, segment in zip(numbers, segments, strict=True):
        row[: len(segment)] = segment.word
    return numbers


def _rows(segment: Segment, relations: dict[str, int], possessive: bool) -> np.ndarray:
    """word, head, relation and asked word of each dependent that counts, (row, 4)."""
    tree, known = tree_of(segment), has_piece(segment)
    numbers = np.array([relations.get(name, -1) for name in tree.relations])
    heads = tree.heads
    counts = (heads >= 0) & known & known[heads] & (numbers >= 0)
    word = np.flatnonzero(counts)
    asked = np.arange(len(heads))
    if possessive:
        owns = np.array([name in POSSESSIVES for name in tree.relations[:-1]], bool)
        marked = np.array([surface in _MARKS for surface in segment.words[1:]], bool)
        asked[:-1] += owns & marked & known[1:]
    return np.stack([word, heads[word], numbers[word], asked[word]], axis=1)


def _reached(
    text: np.ndarray, word: np.ndarray, head: np.ndarray, relation: np.ndarray, causal: bool
) -> tuple[np.ndarray, np.ndarray]:
    back = (head < word) if causal else np.ones(len(word), bool)
    ahead = (word < head) if causal else np.ones(len(word), bool)
    return np.stack([back, ahead, ahead], axis=1), _first(text, head, relation, ahead)


def _first(text: np.ndarray, head: np.ndarray, relation: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Mark the first row of each text, head word and relation, (row,) bool, among some rows."""
    rows = np.flatnonzero(among)
    keys = np.stack([text[rows], head[rows], relation[rows]])
    _, first = np.unique(keys, axis=1, return_index=True)
    marked = np.zeros(len(text), bool)
    marked[rows[first]] = True
    return marked

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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat

import numpy as np

from headscope.blocks import block_of
from headscope.errors import InputError
from headscope.measures.words import Pieces
from headscope.text import Dependencies, Segment

POSSESSIVES = ("poss", "nmod:poss")
_MARKS = ("'s", "’s", "'", "’", "s'", "s’")


@dataclass(frozen=True)
class Trees:
    """The words of a batch that count, one row each, text after text, and all words behind them.

    pieces: which make up which word. words and blocks are (batch,): how many words there are, and the block
    of their document. text, word, head, relation, asked are (row,): in which text a dependent stands, its
    place and that of its head, its relation's number, and whose attention is asked in its stead. reached is
    (row, reading) bool: the pairs that the model can see. first is (row, 2) bool: the first row of its head
    word and relation, and that among those reached.
    """

    pieces: Pieces
    words: np.ndarray
    blocks: np.ndarray
    text: np.ndarray
    word: np.ndarray
    head: np.ndarray
    relation: np.ndarray
    asked: np.ndarray
    reached: np.ndarray
    first: np.ndarray

    @classmethod
    def of(
        cls, segments: Sequence[Segment], relations: Mapping[str, int], causal: bool, possessive: bool
    ) -> Trees:
        """Take the trees of a batch; relations that have no number do not count."""
        trees = [tree_of(segment) for segment in segments]
        words = np.array([len(tree) for tree in trees])
        pieces = Pieces.of(padded_words(segments), int(words.max()))
        text, place = _places(words)
        heads = np.concatenate([tree.heads for tree in trees])
        labels = list(chain.from_iterable(tree.relations for tree in trees))
        relation = np.fromiter(map(relations.get, labels, repeat(-1)), np.int64, len(labels))
        known = pieces.sizes > 0
        rows = np.flatnonzero(
            (heads >= 0) & (relation >= 0) & known[text, place] & known[text, heads.clip(0)]
        )
        asked = _asked(segments, labels, known[text, place]) if possessive else place
        text, word, head, relation = text[rows], place[rows], heads[rows], relation[rows]
        back, ahead = (head < word, word < head) if causal else np.ones((2, len(rows)), bool)
        keys = (text * known.shape[1] + head) * (len(relations) + 1) + relation
        return cls(
            pieces, words, np.array([block_of(segment.document) for segment in segments]),
            text, word, head, relation, asked[rows], np.stack([back, ahead, ahead], axis=1),
            np.stack([_first(keys, np.ones_like(ahead)), _first(keys, ahead)], axis=1),
        )  # fmt: skip

    @cached_property
    def starts(self) -> np.ndarray:
        """Where the rows of each text begin, and the number of rows, (batch + 1,)."""
        return np.searchsorted(self.text, np.arange(len(self.words) + 1))

    @cached_property
    def bears(self) -> np.ndarray:
        """The first row of each head word and relation, (row,) bool."""
        return np.ascontiguousarray(self.first[:, 0])

    @cached_property
    def block(self) -> np.ndarray:
        """The block of each row's document, (row,)."""
        block: np.ndarray = self.blocks[self.text]
        return block

    def right(self, to: np.ndarray, by: np.ndarray) -> np.ndarray:
        """What is right, (row, item, reading), for predictions (batch, item, word)."""
        text, word, head = self.text, self.word[:, None], self.head[:, None]
        readings = [
            to[text, :, self.asked] == head,
            by[text, :, self.asked] == head,
            # A head word has one favourite, so of all its dependents at most one makes this true.
            to[text, :, self.head] == word,
        ]
        right: np.ndarray = np.stack(readings, axis=-1) & self.reached[:, None]
        return right

    def counts(self) -> np.ndarray:
        """What could be right in each reading; and every word and head word, reached or not: (row, 5)."""
        first, first_reached = self.first.T
        every = np.ones_like(first)
        return np.stack([*self.reached.T[:2], first_reached, every, first], axis=1).astype(np.float64)

    def neighbours(self, offsets: np.ndarray) -> np.ndarray:
        """The word at each offset, (batch, offset, word); -1 beyond the ends."""
        place = np.arange(self.words.max()) + offsets[:, None]
        inside = (place >= 0) & (place < self.words[:, None, None])
        return np.where(inside, place, -1)

    def neighbours_inside(self, offsets: np.ndarray) -> np.ndarray:
        """The same as a head would: always another word, (batch, offset, word).

        Beyond an end it is the last word there, and for that word itself the one beside it. Words without a
        piece, which no head can choose, are passed over.
        """
        known = self.pieces.sizes > 0
        rank, last = known.cumsum(1)[:, None] - 1, np.maximum(known.sum(1) - 1, 0)[:, None, None]
        step = offsets[:, None]
        chosen = np.clip(rank + step, 0, last)
        chosen = np.where(chosen == rank, rank - np.sign(step), chosen).clip(0, last)
        by_rank = np.argsort(~known, axis=1, kind="stable")[:, None]
        words: np.ndarray = np.take_along_axis(by_rank, chosen, axis=2)
        return words


def tree_of(segment: Segment) -> Dependencies:
    """The tree over a segment's words."""
    tree = None if segment.part is None else segment.part.dependencies
    if tree is None:
        raise InputError(f"document '{segment.document}' has no trees; read a treebank, or parse the text")
    return tree


def padded_words(segments: Sequence[Segment]) -> np.ndarray:
    """The word of every piece, (batch, piece); -1 for special pieces, -2 for padding."""
    sizes = np.array([len(segment) for segment in segments])
    numbers = np.full((len(segments), sizes.max()), -2)
    numbers[np.arange(sizes.max()) < sizes[:, None]] = np.concatenate([segment.word for segment in segments])
    return numbers


def _places(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The text of each word, text after text, and its place there, both (word,)."""
    text = np.repeat(np.arange(len(words)), words)
    return text, np.arange(len(text)) - np.repeat(np.cumsum(words) - words, words)


def _asked(segments: Sequence[Segment], labels: list[str], known: np.ndarray) -> np.ndarray:
    """Each word's own place, or the next one for a possessor with a mark behind it, (word,)."""
    surfaces = list(chain.from_iterable(segment.words for segment in segments))
    text, place = _places(np.array([len(segment.words) for segment in segments]))
    owns = np.array([label in POSSESSIVES for label in labels])
    marked = np.array([surface in _MARKS for surface in surfaces])
    follows = marked[1:] & known[1:] & (text[1:] == text[:-1])
    asked: np.ndarray = place + (owns & np.append(follows, False))
    return asked


def _first(keys: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Mark the first row of each key among some rows, (row,) bool."""
    rows = np.flatnonzero(among)
    marked = np.zeros(len(keys), bool)
    marked[rows[np.unique(keys[rows], return_index=True)[1]]] = True
    return marked

"""Made text: random pieces, and the same ones again, so that what repeats is known and nothing else helps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from headscope.blocks import number_of
from headscope.text.documents import Document
from headscope.text.encoding import Tokenizer
from headscope.text.segments import Segment

COPIES = 2


def made_documents(count: int) -> list[Document]:
    """Documents without a word, whose names alone decide what a cutter makes of them."""
    return [Document(f"made:{number}", "", ()) for number in range(count)]


@dataclass(frozen=True)
class Repeats:
    """An opening piece, if the tokenizer has one, then `size` random pieces, twice.

    Pieces are drawn from the vocabulary without special ones, none twice where it is large enough; a
    document's name and the seed decide which.
    """

    size: int
    seed: int = 0

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment]:
        opening, plain = opening_piece(tokenizer), plain_pieces(tokenizer)
        random = np.random.default_rng([self.seed, number_of(document.id)])
        once = random.choice(plain, self.size, replace=len(plain) < self.size)
        ids = np.concatenate([opening, *[once] * COPIES]).astype(np.int64)
        special = np.arange(len(ids)) < len(opening)
        word = np.full(len(ids), -1)
        yield Segment(document.id, 0, ids, None, special, word, (), (0,))


def opening_piece(tokenizer: Tokenizer) -> np.ndarray:
    """The piece that a text begins with, (1,), or that it ends with where there is no such; else (0,)."""
    known = (tokenizer.bos_token_id, tokenizer.cls_token_id, tokenizer.eos_token_id)
    return np.array([id for id in known if id is not None][:1], np.int64)


def plain_pieces(tokenizer: Tokenizer) -> np.ndarray:
    """The ids of a vocabulary but for special ones and those that were added to it, sorted."""
    special = {*tokenizer.all_special_ids, *tokenizer.added_tokens_decoder}
    return np.array(sorted(id for id in tokenizer.get_vocab().values() if id not in special), np.int64)


def copies_of(segment: Segment) -> np.ndarray:
    """Which copy each piece is of, (piece,); -1 for the opening one.

    >>> ids = np.array([1, 7, 8, 7, 8])
    >>> copies_of(Segment("made:0", 0, ids, None, ids == 1, ids * 0 - 1, (), (0,))).tolist()
    [-1, 0, 0, 1, 1]
    """
    opening = int(segment.special.sum())
    size = (len(segment) - opening) // COPIES
    return np.where(segment.special, -1, (np.arange(len(segment)) - opening) // max(size, 1))

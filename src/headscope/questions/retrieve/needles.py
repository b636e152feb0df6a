"""Needles in hay: a sentence with a secret inside a long text, and a question that asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from headscope.blocks import number_of
from headscope.text import Document, Segment
from headscope.text.encoding import Tokenizer
from headscope.text.repeats import opening_piece

ASKED = " The secret of the harbour is"
LETTERS = 4
"""Words of a secret have as many at least."""

LEAST_HAY = 8
"""Pieces of hay without which there is nothing to search."""


@dataclass(frozen=True)
class Trial:
    """One needle: length of the whole in pieces, depth of the needle from 0 to 1, its number, its secret."""

    length: int
    depth: float
    number: int
    secret: tuple[str, ...]

    @property
    def document(self) -> Document:
        """By whose name it is known, and which holds the secret as its text."""
        return Document.from_words(f"{self.length}:{self.depth:.4f}:{self.number}", self.secret)


def trials(
    lengths: Sequence[int], depths: int, needles: int, words: Sequence[str], size: int, seed: int
) -> list[Trial]:
    """Every length at every depth, with secrets drawn from words."""
    places = [0.5] if depths == 1 else np.linspace(0, 1, depths).tolist()
    made = []
    for length in lengths:
        for depth in places:
            for number in range(needles):
                name = f"{length}:{depth:.4f}:{number}"
                random = np.random.default_rng([seed, number_of(name)])
                secret = random.choice(len(words), size, replace=len(words) < size)
                made.append(Trial(length, depth, number, tuple(words[place] for place in secret)))
    return made


@dataclass(frozen=True)
class Haystack:
    """A cutter that puts the secret of a document into hay, as deep as its name says.

    hay: pieces. In a segment, `word` tells which piece of the secret a piece is, -1 for all others.
    """

    hay: tuple[int, ...]

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment]:
        length, depth, _ = document.id.split(":")
        opening = opening_piece(tokenizer)
        asked, secret, end = needle_pieces(tokenizer, document.text)
        room = int(length) - len(opening) - 2 * len(asked) - len(secret) - len(end)
        place = round(float(depth) * room)
        hay = np.array(self.hay[:room], np.int64)
        parts = [opening, hay[:place], asked, secret, end, hay[place:], asked]
        ids = np.concatenate(parts).astype(np.int64)
        first = sum(len(part) for part in parts[:3])
        word = np.full(len(ids), -1)
        word[first : first + len(secret)] = np.arange(len(secret))
        special = np.arange(len(ids)) < len(opening)
        yield Segment(document.id, 0, ids, None, special, word, document.surfaces(), (0,), part=document)


def needle_pieces(tokenizer: Tokenizer, secret: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pieces of what leads to a secret, of the secret, and of the stop behind it."""
    texts = (ASKED, f" {secret}", ".")
    encoded = [tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"] for text in texts]
    first, second, third = (np.array(ids, np.int64) for ids in encoded)
    return first, second, third


def least_length(tokenizer: Tokenizer, secrets: Sequence[str]) -> int:
    """Pieces without which some needle, its question and a little hay have no room."""
    sizes = [sum(map(len, needle_pieces(tokenizer, secret))) for secret in secrets]
    asked = len(needle_pieces(tokenizer, "")[0])
    return len(opening_piece(tokenizer)) + asked + max(sizes) + LEAST_HAY


def words_for_secrets(documents: Sequence[Document]) -> list[str]:
    """Different words of letters alone, in small letters, sorted."""
    words = {word.lower() for document in documents for word in document.surfaces() if word.isalpha()}
    return sorted(word for word in words if len(word) >= LETTERS)

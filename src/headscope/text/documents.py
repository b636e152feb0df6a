"""A document: a text, the places of its words, and what is annotated on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from headscope.errors import InputError
from headscope.text.edges import Edges
from headscope.text.layers import Coreference, Dependencies, Distributions
from headscope.text.links import Links
from headscope.text.words import Span, split_words


@dataclass(frozen=True)
class Document:
    """A text with the character span of each word, in order; ``target`` is the other side of parallel text.

    Labelled text has a ``label``, for the text or for it and its ``second`` text, or ``tags``, one per word;
    ``split`` is the part of the data that its source puts it into, where it names one. ``keywords`` are the
    words and phrases that somebody chose for the text, in it or not. ``links`` are those of its words with
    the target's, by one source or several.

    >>> document = Document.from_text("a.txt:1", "Good morning!")
    >>> document.words, document.surface(1)
    (((0, 4), (5, 12), (12, 13)), 'morning')
    """

    id: str
    text: str
    words: tuple[Span, ...]
    target: str | None = None
    dependencies: Dependencies | None = None
    coreference: Coreference | None = None
    label: str | None = None
    second: str | None = None
    tags: tuple[str, ...] | None = None
    distributions: Distributions | None = None
    edges: Edges | None = None
    split: str | None = None
    keywords: tuple[str, ...] | None = None
    links: tuple[Links, ...] = ()

    def __post_init__(self) -> None:
        edges = np.asarray(self.words, dtype=np.int64).ravel()
        if edges.size and (edges[0] < 0 or edges[-1] > len(self.text) or (np.diff(edges) < 0).any()):
            raise InputError(f"document '{self.id}': its words overlap, run backwards or leave the text")
        layers = (self.dependencies, self.coreference, self.tags, self.distributions, self.edges, *self.links)
        for layer in layers:
            if layer is not None and len(layer) != len(self.words):
                kind = "tags" if layer is self.tags else type(layer).__name__.lower()
                raise InputError(f"document '{self.id}': {len(self.words)} words, but {kind} of {len(layer)}")
        others = (*(self.tags or ()), *(self.keywords or ()))
        for text in (self.text, self.target, self.label, self.second, *others):
            if text is not None:
                _refuse_surrogates(self.id, text)

    def surface(self, word: int) -> str:
        """The characters of one word."""
        start, end = self.words[word]
        return self.text[start:end]

    def surfaces(self) -> tuple[str, ...]:
        """The characters of each word."""
        return tuple(self.text[start:end] for start, end in self.words)

    @classmethod
    def from_text(cls, id: str, text: str, target: str | None = None) -> Document:
        """Take a running text; its words are found by `split_words`."""
        return cls(id, text, split_words(text), target)

    @classmethod
    def from_words(
        cls, id: str, words: Sequence[str], spaces: Sequence[bool] | None = None, target: str | None = None
    ) -> Document:
        """Take words as they are; ``spaces[i]`` says whether a space follows word i (by default always).

        >>> Document.from_words("s1", ["Stop", "!"], spaces=[False, False]).text
        'Stop!'
        """
        if spaces is None:
            spaces = [True] * len(words)
        if len(spaces) != len(words):
            raise InputError(f"document '{id}': {len(words)} words, but {len(spaces)} values in spaces")
        return cls(id, *join_words(words, [" " if space else "" for space in spaces]), target)


def join_words(words: Sequence[str], gaps: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Join words into a text and say where they are in it; the gap after the last word is left out.

    >>> join_words(["So", "!", "No"], ["", "\\n", " "])
    ('So!\\nNo', ((0, 2), (2, 3), (4, 6)))
    """
    gaps = [*gaps[:-1], ""] if gaps else []
    starts = accumulate((len(word) + len(gap) for word, gap in zip(words, gaps, strict=True)), initial=0)
    spans = tuple((start, start + len(word)) for start, word in zip(starts, words, strict=False))
    return "".join(word + gap for word, gap in zip(words, gaps, strict=True)), spans


def _refuse_surrogates(id: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        raise InputError(
            f"document '{id}': character {problem.start} is half of a surrogate pair, which is no text; "
            "write the whole character"
        ) from problem

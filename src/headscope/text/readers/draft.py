"""A document of a treebank while it is read, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from headscope.errors import InputError
from headscope.text.documents import Document, join_words
from headscope.text.edges import Edge, Edges
from headscope.text.layers import (
    ROOT,
    Coreference,
    Dependencies,
    Distributions,
    Mention,
    reading_order,
)
from headscope.text.noticing import Broken


@dataclass
class Sentence:
    """The words of a sentence, and for each what follows it in the text; heads (word,) count within it."""

    words: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    heads: np.ndarray | None = None
    relations: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    upos: list[str] = field(default_factory=list)
    feats: list[str] = field(default_factory=list)
    looks: list[tuple[int, int, float]] = field(default_factory=list)  # a word, another, how much at it


class Draft:
    """Sentences of one document, put together in the end."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.size = 0  # words so far
        self._sentences: list[Sentence] = []
        self._error: InputError | None = None

    def fail(self, error: InputError | None) -> None:
        """Take down what is wrong with the document, if anything is; the first error counts."""
        self._error = self._error or error

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Take down an error inside the `with`, where the source can be read on behind the document."""
        try:
            yield
        except InputError as error:
            self.fail(error)

    def finish(self, make: Callable[[], Document]) -> Document | Broken:
        """What is made of the sentences, unless something is wrong with them."""
        if self._error is None:
            with self.failing():
                return make()
        assert self._error is not None
        return Broken(self.id, self._error)

    def add(self, sentence: Sentence) -> None:
        """Take the next sentence."""
        self._sentences.append(sentence)
        self.size += len(sentence.words)

    def break_line(self) -> None:
        """Begin a new line of the text with the next sentence."""
        if self._sentences:
            self._sentences[-1].gaps[-1] = "\n"

    def dependencies(self) -> Dependencies:
        """The trees of all sentences, their heads counted through the document."""
        heads: list[np.ndarray] = [np.empty(0, dtype=np.int64)]
        base = 0
        for sentence in self._sentences:
            assert sentence.heads is not None
            heads.append(np.where(sentence.heads == ROOT, ROOT, sentence.heads + base))
            base += len(sentence.words)
        texts = {name: self._joined(name) for name in ("relations", "tags", "upos", "feats")}
        return Dependencies(np.concatenate(heads), sentences=self._numbers(), **texts)

    def coreference(self, mentions: Iterable[Mention]) -> Coreference:
        """The mentions of the document, in any order, as its layer."""
        ordered = tuple(sorted(mentions, key=reading_order))
        return Coreference(ordered, self._numbers(), self._joined("tags"))

    def document(
        self,
        dependencies: Dependencies | None = None,
        coreference: Coreference | None = None,
        edges: Iterable[Edge] | None = None,
    ) -> Document:
        """The document, with the layers given."""
        text, spans = join_words(self._joined("words"), self._joined("gaps"))
        distributions = self._distributions()
        labelled = None if edges is None else Edges(tuple(edges), self._numbers())
        return Document(
            *(self.id, text, spans, None, dependencies, coreference),
            distributions=distributions,
            edges=labelled,
        )

    def with_trees(self) -> Document:
        """The document, with its trees alone."""
        return self.document(self.dependencies())

    def _distributions(self) -> Distributions | None:
        """How much words should look at others, counted through the document; None where nothing is said."""
        bases = np.cumsum([0, *(len(sentence.words) for sentence in self._sentences)])
        rows = [
            (word + base, other + base, share)
            for sentence, base in zip(self._sentences, bases, strict=False)
            for word, other, share in sentence.looks
        ]
        if not rows:
            return None
        query, key, share = np.array(rows).T
        return Distributions(query.astype(np.int64), key.astype(np.int64), share, self.size)

    def _joined(self, name: str) -> tuple[str, ...]:
        return tuple(value for sentence in self._sentences for value in getattr(sentence, name))

    def _numbers(self) -> np.ndarray:
        sizes = [len(sentence.words) for sentence in self._sentences]
        return np.repeat(np.arange(len(sizes)), sizes)

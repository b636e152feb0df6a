"""Parts of documents, with their layers: one sentence, or any stretch of words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from headscope.errors import InputError
from headscope.text.documents import Document


def window(document: Document, start: int, stop: int) -> Document:
    """Cut out the words from start to stop (exclusive); the part keeps id, target, label, second
    text, split and keywords.

    Its tags are those of its words, its layers count words from ``start`` on. A head that was cut away
    becomes `layers.OUTSIDE`, its relation stays; a mention that was cut apart is dropped.

    >>> window(Document.from_text("a", "All is well here."), 1, 3).text
    'is well'
    """
    if not 0 <= start < stop <= len(document.words):
        asked = f"words {start} to {stop} were asked for, but it has {len(document.words)}"
        raise InputError(f"document '{document.id}': {asked}")
    spans = document.words[start:stop]
    base = spans[0][0]
    return Document(
        document.id,
        document.text[base : spans[-1][1]],
        tuple((first - base, last - base) for first, last in spans),
        document.target,
        document.dependencies and document.dependencies.window(start, stop),
        document.coreference and document.coreference.window(start, stop),
        document.label,
        document.second,
        document.tags and document.tags[start:stop],
        document.distributions and document.distributions.window(start, stop),
        document.edges and document.edges.window(start, stop),
        document.split,
        document.keywords,
    )


def sentences(document: Document) -> Iterator[tuple[int, Document]]:
    """Yield the number of each sentence in the document, and the sentence as a document with the same id."""
    numbers = _numbers(document)
    for start, stop in pairwise(sentence_edges(document).tolist()):
        yield int(numbers[start]), window(document, start, stop)


def sentence_edges(document: Document) -> np.ndarray:
    """The first word of each sentence, and the number of words, (sentence + 1,)."""
    return np.flatnonzero(np.diff(_numbers(document), prepend=-1, append=-1))


def _numbers(document: Document) -> np.ndarray:
    """The number of the sentence of each word, (word,)."""
    layers = (document.dependencies, document.coreference, document.edges)
    layer = next((layer for layer in layers if layer is not None), None)
    if layer is None:
        raise InputError(
            f"document '{document.id}' has no sentence marks; read a treebank, or parse the text first"
        )
    return layer.sentences

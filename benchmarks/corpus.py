"""The text that benchmarks run on: real articles where the data folder is known, else the demo text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, islice
from typing import Any

from benchmarks.data import DEMO, path, place
from headscope.models import Model
from headscope.text import Document, Segment, Skipped, cut, read

_TITLE = re.compile(r"^ = [^=].*[^=] = $", re.MULTILINE)

WIKITEXT = "07_wikitext2/valid.txt"
DATA = (WIKITEXT,) if place(WIKITEXT) else (DEMO,)
"""The one file that is read."""


def source() -> str:
    """Where the text comes from, for the reader of a table."""
    return f"WikiText-2 {path(WIKITEXT).name}" if DATA == (WIKITEXT,) else "the demo text, repeated"


def articles() -> Iterator[str]:
    """Texts without end, each on one line, so that its segments are full; the demo text is one of them."""
    parts = _TITLE.split(path(*DATA).read_text("utf-8"))
    lines = [" ".join(part.split()) for part in parts if part.strip()]
    return chain.from_iterable(lines for _ in count())


def passages(words: int = 250) -> Iterator[str]:
    """Texts without end of the same length, so that few and many of them make batches of the same shape."""
    for article in articles():
        whole = article.split()
        yield from (" ".join(whole[place : place + words]) for place in range(0, len(whole) - words, words))


def paragraphs() -> Iterator[Document]:
    """Documents without end, as the plain reader gives them: headings, short and long paragraphs."""
    return chain.from_iterable(read(path(*DATA)) for _ in count())


def segments(model: Model, number: int, pieces: int = 128) -> list[Segment]:
    """The first segments of full length; the rest of an article, which does not fill one, is left out."""
    every = chain.from_iterable(cut(one, model.tokenizer, pieces, _pair(model)) for one in _named(articles()))
    return list(islice((segment for segment in every if len(segment) > 0.9 * pieces), number))


def documents(model: Model, number: int, pieces: int = 128) -> Iterator[Document]:
    """Documents, one at a time, until they give so many segments."""
    given = 0
    for document in _named(passages()):
        if given >= number:
            return
        given += sum(1 for _ in cut(document, model.tokenizer, pieces, _pair(model)))
        yield document


def _named(texts: Iterator[str]) -> Iterator[Document]:
    return (Document.from_text(f"text {place}", text) for place, text in enumerate(texts))


def _pair(model: Model) -> bool:
    return model.shape == "encoder"


@dataclass(frozen=True)
class Ready:
    """Segments that are cut already, so that tokenising is not timed; whatever document is given."""

    segments: tuple[Segment, ...]

    def __call__(self, document: Document, tokenizer: Any, pieces: int) -> Iterator[Segment | Skipped]:
        return iter(self.segments)

"""Texts that are already in memory: lists, tuples and pandas series of strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.lines import Place
from headscope.text.noticing import Broken, Item


def read_texts(texts: Iterable[Any], name: str = "memory") -> Corpus:
    """Make a corpus of strings; the ids are #0, #1, and so on."""
    return Corpus(name, "memory", lambda: _documents(texts))


def _documents(texts: Iterable[Any]) -> Iterator[Item]:
    for number, text in enumerate(texts):
        id = f"#{number}"
        if isinstance(text, str):
            yield Document.from_text(id, text)
        else:
            problem = f"text {id} is {type(text).__name__} ({str(text)[:60]}); strings are expected"
            yield Broken(id, Place("memory").error(problem))

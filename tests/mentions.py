"""Small documents with coreference, written for these tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headscope.text import Coreference, Dependencies, Document, Mention
from headscope.text.head_words import with_heads
from headscope.text.layers import reading_order

TAGS = {
    **dict.fromkeys(("he", "she", "it", "they", "i", "him", "her"), "PRP"),
    **dict.fromkeys(("his", "its", "their"), "PRP$"),
    **dict.fromkeys(("anna", "bert", "rome", "hill"), "NNP"),
    **dict.fromkeys(("baker", "dog", "town", "mayor", "woman", "cake"), "NN"),
    **dict.fromkeys(("dogs", "bakers", "women"), "NNS"),
    **dict.fromkeys(("of", "in"), "IN"),
    **dict.fromkeys(("the", "a"), "DT"),
}


def marked(
    id: str,
    text: str,
    mentions: Sequence[tuple[int, int, str] | tuple[int, int, str, int]],
    tags: Sequence[str] | None = None,
    heads: Sequence[int] | None = None,
) -> Document:
    """A document of spaced words; a full stop ends a sentence; mentions are start, end, entity and head."""
    words = text.split()
    plain = Document.from_words(id, words)
    ends = np.array([word == "." for word in words])
    sentences = np.concatenate([[0], np.cumsum(ends)[:-1]])
    tags = tuple(TAGS.get(word.lower(), "X") for word in words) if tags is None else tuple(tags)
    tree = None
    if heads is not None:
        tree = Dependencies(np.array(heads), ("dep",) * len(words), sentences, tags, ("X",) * len(words))
    layer = Coreference(
        tuple(sorted((Mention(*one) for one in mentions), key=reading_order)), sentences, tags
    )
    return Document(id, plain.text, plain.words, None, tree, layer)


TOWN = "The baker of Rome saw Anna . She saw his dog . The dog saw Anna and the dog saw him ."
#        0   1     2  3    4   5    6 7   8   9   10  11 12 13  14  15   16  17  18  19  20  21
TOWN_MENTIONS = [
    *((0, 4, "baker"), (3, 4, "rome"), (5, 6, "anna"), (7, 8, "anna"), (9, 10, "baker")),
    *((9, 11, "dog"), (12, 14, "dog"), (15, 16, "anna"), (17, 19, "dog"), (20, 21, "baker")),
]


def town(id: str = "town") -> Document:
    """Three entities that are named again, and Rome, which is not."""
    return marked(id, TOWN, TOWN_MENTIONS)


SHORT = "Anna saw the dog . It saw her ."
SHORT_MENTIONS = [(0, 1, "a"), (2, 4, "d"), (5, 6, "d"), (7, 8, "a")]


def mixed(count: int = 12) -> list[Document]:
    """Long, short and doubled documents by turns, so that batches are padded and windows are several."""
    made = []
    for number in range(count):
        kind, id = number % 3, f"doc{number}"
        if kind == 0:
            made.append(town(id))
        elif kind == 1:
            made.append(marked(id, SHORT, SHORT_MENTIONS))
        else:
            size = len(town().words)
            again = [(start + size, end + size, entity) for start, end, entity in TOWN_MENTIONS]
            made.append(marked(id, f"{town().text} {town().text}", [*TOWN_MENTIONS, *again]))
    return [with_heads(document) for document in made]


def conll(documents: Sequence[Document]) -> str:
    """Documents in the layout of CoNLL-2012: document, part, number, word, tag, a bit of parse, mentions."""
    return "".join(_conll(document) for document in documents)


def _conll(document: Document) -> str:
    layer = document.coreference
    assert layer is not None
    lines = [f"#begin document ({document.id}); part 000"]
    for word in range(len(document.words)):
        if word and layer.sentences[word] != layer.sentences[word - 1]:
            lines.append("")
        number = word - int(np.searchsorted(layer.sentences, layer.sentences[word]))
        opened = [f"({one.entity}" for one in layer.mentions if one.start == word < one.end - 1]
        alone = [f"({one.entity})" for one in layer.mentions if one.start == word == one.end - 1]
        closed = [f"{one.entity})" for one in layer.mentions if one.start < word == one.end - 1]
        marks = "|".join([*opened, *alone, *closed]) or "-"
        columns = (document.id, "0", str(number), document.surface(word), layer.tags[word], "*", marks)
        lines.append("\t".join(columns))
    return "\n".join([*lines, "", "#end document", ""])

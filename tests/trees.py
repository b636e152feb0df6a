"""Small treebanks written for these tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headscope.text import Corpus, Dependencies, Document, sentences
from headscope.text.layers import ROOT


def document(id: str, *written: str) -> Document:
    """A document of sentences written as ``word>head:relation``; heads count from 1 in each, 0 is the root.

    >>> document("d", "ships>2:nsubj pass>0:root").dependencies.heads.tolist()
    [1, -1]
    """
    words, heads, relations, numbers = [], [], [], []
    for number, sentence in enumerate(written):
        base = len(words)
        for token in sentence.split():
            word, _, arc = token.rpartition(">")
            head, _, relation = arc.partition(":")
            words.append(word)
            heads.append(int(head) + base - 1 if int(head) else ROOT)
            relations.append(relation)
            numbers.append(number)
    nothing = ("",) * len(words)
    tree = Dependencies(np.array(heads), tuple(relations), np.array(numbers), nothing, nothing)
    return replace(Document.from_words(id, words), dependencies=tree)


def corpus(*documents: Document) -> Corpus:
    """A treebank in memory."""
    return Corpus("trees", "memory", lambda: list(documents))


def conllu(documents: Sequence[Document]) -> str:
    """The documents as a file in CoNLL-U."""
    return "".join(f"# newdoc id = {one.id}\n" + "".join(_lines(part) for _, part in sentences(one))
                   for one in documents)  # fmt: skip


def _lines(part: Document) -> str:
    tree = part.dependencies
    assert tree is not None
    rows = [
        "\t".join((str(word + 1), part.surface(word), "_", "X", "_", "_", str(head + 1), relation, "_", "_"))
        for word, (head, relation) in enumerate(zip(tree.heads.tolist(), tree.relations, strict=True))
    ]
    return "\n".join(rows) + "\n\n"


NOUNS = ("keeper", "ship", "lighthouse", "book", "name", "night", "boats")
VERBS = ("passed", "wrote", "said", "sleeps", "saw")
ADJECTIVES = ("old", "small", "well-known")
ADVERBS = ("never", "here", "now")
ARTICLES = ("the", "a", "every")


def written_sentence(draw: random.Random) -> str:
    """A sentence of subject, verb, perhaps adverb and object, and a full stop, with its tree."""
    words: list[tuple[str, str, str]] = []  # word, relation, and the word that it hangs on

    def phrase(relation: str) -> None:
        noun = draw.choice(NOUNS)
        if draw.random() < 0.8:
            words.append((draw.choice(ARTICLES), "det", "noun"))
        words.extend((one, "amod", "noun") for one in draw.sample(ADJECTIVES, draw.choice((0, 0, 1, 2))))
        words.append((noun, relation, "verb"))

    phrase("nsubj")
    if draw.random() < 0.3:
        words.append((draw.choice(ADVERBS), "advmod", "verb"))
    verb = len(words)
    words.append((draw.choice(VERBS), "root", ""))
    if draw.random() < 0.8:
        phrase("obj")
    words.append((".", "punct", "verb"))
    nouns = [place for place, (_, relation, _) in enumerate(words) if relation in ("nsubj", "obj")]

    def head(place: int) -> int:
        kind = words[place][2]
        if kind == "noun":
            return min(noun for noun in nouns if noun > place) + 1
        return verb + 1 if kind else 0

    return " ".join(f"{word}>{head(place)}:{relation}" for place, (word, relation, _) in enumerate(words))


def treebank(documents: int, seed: int = 0) -> list[Document]:
    """Documents of one to five sentences each."""
    draw = random.Random(seed)
    return [
        document(f"d{number}", *(written_sentence(draw) for _ in range(draw.randint(1, 5))))
        for number in range(documents)
    ]

"""Two sources of the same documents as one: mentions from the one, trees from the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.lines import Place


def with_trees(corpus: Corpus, trees: Corpus) -> Corpus:
    """Give the documents of a corpus the trees, tags, sentences and running text of a treebank.

    Both must hold the same documents in the same order, with the same number of words; exports of
    coreference (OntoGUM) often lack what the treebank they were made from (GUM) says.
    """
    return corpus.derived(lambda: _joined(corpus, trees), lambda: f"trees {trees.checksum}")


def _joined(corpus: Corpus, trees: Corpus) -> Iterator[Document]:
    for document, other in zip_longest(corpus, trees):
        if document is None:  # a limited corpus is shorter than its treebank
            return
        if other is None or other.id != document.id or len(other.words) != len(document.words):
            came = "nothing" if other is None else f"'{other.id}' of {len(other.words)} words"
            wanted = f"'{document.id}' of {len(document.words)} words is expected, but {came} comes"
            raise Place(trees.source).error(f"{wanted}; both need the same documents, in order")
        tree, layer = other.dependencies, document.coreference
        if tree is None:
            raise Place(trees.source).error(f"document '{other.id}' has no tree")
        if layer is not None:
            layer = replace(layer, sentences=tree.sentences, tags=tree.tags)
        yield replace(other, coreference=layer)

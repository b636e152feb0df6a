"""Two sources of the same documents as one: mentions from the one, trees from the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from headscope.text.checksums import digest_derived
from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.lines import Place
from headscope.text.noticing import Broken, Item, Remark


def with_trees(corpus: Corpus, trees: Corpus) -> Corpus:
    """Give the documents of a corpus the trees, tags, sentences and running text of a treebank.

    Both must hold the same documents in the same order, with the same number of words; exports of
    coreference (OntoGUM) often lack what the treebank they were made from (GUM) says. A document that is
    broken in one of them, or has another number of words there, is broken.
    """
    return Corpus(
        corpus.name,
        corpus.source,
        lambda: _joined(corpus, trees),
        lambda: digest_derived(corpus.checksum, f"trees {trees.checksum}"),
        skip_broken=corpus.skip_broken,
    )


def _joined(corpus: Corpus, trees: Corpus) -> Iterator[Item]:
    yield Remark(f"words, sentences and trees are those of {trees.name}")
    others = _documents(trees.stream())
    for item in corpus.stream():
        # A limited corpus is shorter than its treebank.
        yield item if isinstance(item, Remark) else _with_tree(item, next(others, None), Place(trees.source))


def _documents(items: Iterable[Item]) -> Iterator[Document | Broken]:
    return (item for item in items if not isinstance(item, Remark))


def _with_tree(document: Document | Broken, other: Document | Broken | None, place: Place) -> Item:
    came = f"{_called(document)} is expected, but {_called(other)} comes"
    misfit = f"{came}; both need the same documents, in order"
    if other is None or other.id != document.id:
        raise place.error(misfit)
    if isinstance(document, Broken):
        return document
    if isinstance(other, Broken):
        return other
    tree, layer = other.dependencies, document.coreference
    if len(other.words) != len(document.words):
        return Broken(document.id, place.error(misfit))
    if tree is None:
        return Broken(document.id, place.error(f"document '{other.id}' has no tree"))
    if layer is not None:
        layer = replace(layer, sentences=tree.sentences, tags=tree.tags)
    return replace(other, coreference=layer)


def _called(document: Document | Broken | None) -> str:
    if document is None:
        return "nothing"
    size = "which is broken" if isinstance(document, Broken) else f"of {len(document.words)} words"
    return f"'{document.id}' {size}"

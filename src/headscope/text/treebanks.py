"""A treebank split by blocks of documents: to train on, to decide when to stop, to score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from headscope.blocks import block_of
from headscope.errors import InputError
from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.splits import some_of

TEST, TUNE = 0.2, 0.1
"""Shares of blocks: held out for scoring where no test file is given, and of the rest for tuning."""

USES = {"train": "train on", "tune": "decide when to stop", "test": "score"}
"""What each split is for."""


@dataclass(frozen=True)
class Splits:
    """Three corpora without a common document, what words they have, and how many each."""

    train: Corpus
    tune: Corpus
    test: Corpus
    words: dict[str, int]  # of each split, how many
    scored: Counter[str]  # in lower case, how often each is in what is scored
    types: frozenset[str]  # in lower case, of all splits

    def corpora(self) -> dict[str, Corpus]:
        """By name, in order."""
        return {"train": self.train, "tune": self.tune, "test": self.test}


def split_treebank(treebank: Corpus, test: Corpus | None, seed: int) -> Splits:
    """Read everything once, refuse what has no trees, and draw the blocks."""
    counts = _Counts(treebank)
    drawn = np.random.default_rng(seed).permutation(sorted(counts.words)).tolist()
    scored = 0 if test is not None else max(1, round(TEST * len(drawn)))
    tuned = scored + max(1, round(TUNE * (len(drawn) - scored)))
    if len(drawn) <= tuned:
        asked = "2" if test is not None else "3, or a test file (--test)"
        raise InputError(
            f"{treebank.source}: too few documents to hold some out; at least {asked} are needed "
            "(# newdoc parts those of a treebank)"
        )
    blocks = {"train": drawn[tuned:], "tune": drawn[scored:tuned], "test": drawn[:scored]}
    corpora = {name: _in_blocks(treebank, frozenset(numbers)) for name, numbers in blocks.items()}
    sizes = {name: counts.size(numbers) for name, numbers in blocks.items()}
    if test is not None:
        corpora["test"] = test
    tested = _Counts(corpora["test"])
    sizes["test"] = tested.size(tested.words)
    for name, (_, sentences) in sizes.items():
        if not sentences:
            source = corpora[name].source
            raise InputError(f"{source}: no sentence of two words or more in what is to {USES[name]}")
    words = {name: count for name, (count, _) in sizes.items()}
    return Splits(**corpora, words=words, scored=tested.types, types=frozenset(counts.types | tested.types))


class _Counts:
    """What a corpus holds: by block, words and sentences of two words or more; and its types."""

    def __init__(self, corpus: Corpus) -> None:
        self.words: Counter[int] = Counter()
        self.types: Counter[str] = Counter()
        self._sentences: Counter[int] = Counter()
        for document in trees(corpus):
            assert document.dependencies is not None
            block = block_of(document.id)
            self.words[block] += len(document.words)
            self._sentences[block] += int((np.bincount(document.dependencies.sentences) > 1).sum())
            self.types.update(word.lower() for word in document.surfaces())

    def size(self, blocks: Iterable[int]) -> tuple[int, int]:
        """Words and sentences of some blocks."""
        blocks = list(blocks)
        return sum(self.words[block] for block in blocks), sum(self._sentences[block] for block in blocks)


def trees(corpus: Corpus) -> Iterator[Document]:
    """The documents, refused where they have no trees."""
    for document in corpus:
        if document.dependencies is None:
            raise InputError(
                f"document '{document.id}' has no trees; give a treebank (.conllu, .dep), or parse the text "
                "first (headscope.text.parse)"
            )
        yield document


def _in_blocks(corpus: Corpus, blocks: frozenset[int]) -> Corpus:
    return some_of(corpus, lambda document: block_of(document.id) in blocks)

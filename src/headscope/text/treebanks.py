"""A treebank split by blocks of documents: to train on, to decide when to stop, to score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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
    """Which blocks of a treebank are for what, what words they have, and how many each."""

    blocks: dict[str, frozenset[int]]  # of each split; none to score, where that is a file of its own
    words: dict[str, int]  # of each split, how many
    scored: Counter[str]  # in lower case, how often each is in what is scored
    types: frozenset[str]  # in lower case, of all splits

    def corpora(self, treebank: Corpus, test: Corpus | None) -> dict[str, Corpus]:
        """Three corpora without a common document, by name and in order."""
        corpora = {name: _in_blocks(treebank, blocks) for name, blocks in self.blocks.items()}
        return corpora if test is None else {**corpora, "test": test}


def split_treebank(treebank: Corpus, test: Corpus | None, seed: int) -> Splits:
    """Read everything once, refuse what has no trees, and draw the blocks."""
    counts = _Counts(treebank)
    drawn = np.random.default_rng(seed).permutation(counts.blocks).tolist()
    scored = 0 if test is not None else max(1, round(TEST * len(drawn)))
    tuned = scored + max(1, round(TUNE * (len(drawn) - scored)))
    if len(drawn) <= tuned:
        asked = "2" if test is not None else "3, or a test file (--test)"
        raise InputError(
            f"{treebank.source}: too few documents to hold some out; at least {asked} are needed "
            "(# newdoc parts those of a treebank)"
        )
    blocks = {"train": drawn[tuned:], "tune": drawn[scored:tuned], "test": drawn[:scored]}
    held = {name: counts.of(numbers) for name, numbers in blocks.items()}
    if test is not None:
        tested = _Counts(test)
        held["test"] = tested.of(tested.blocks)
    for name, contents in held.items():
        if not contents.sentences:
            source = treebank.source if name != "test" or test is None else test.source
            raise InputError(f"{source}: no sentence of two words or more in what is to {USES[name]}")
    return Splits(
        {name: frozenset(numbers) for name, numbers in blocks.items()},
        words={name: contents.types.total() for name, contents in held.items()},
        scored=held["test"].types,
        types=frozenset().union(*(contents.types for contents in held.values())),
    )


@dataclass
class _Contents:
    """Sentences of two words or more, and how often each word occurs, in lower case."""

    sentences: int = 0
    types: Counter[str] = field(default_factory=Counter)


class _Counts:
    """What each block of a corpus holds."""

    def __init__(self, corpus: Corpus) -> None:
        self._of_block: defaultdict[int, _Contents] = defaultdict(_Contents)
        for document in trees(corpus):
            assert document.dependencies is not None
            contents = self._of_block[block_of(document.id)]
            contents.sentences += int((np.bincount(document.dependencies.sentences) > 1).sum())
            contents.types.update(word.lower() for word in document.surfaces())

    @property
    def blocks(self) -> list[int]:
        """Those that hold a document, in order."""
        return sorted(self._of_block)

    def of(self, blocks: Iterable[int]) -> _Contents:
        """What some blocks hold together."""
        together = _Contents()
        for block in blocks:
            together.sentences += self._of_block[block].sentences
            together.types.update(self._of_block[block].types)
        return together


def trees(corpus: Corpus) -> Iterator[Document]:
    """The documents, refused where they have no trees."""
    for document in corpus:
        if document.dependencies is None:
            raise InputError(
                f"document '{document.id}' has no trees; give a treebank (.conllu, .dep)",
                in_python="or parse the text first (headscope.text.parse)",
            )
        yield document


def _in_blocks(corpus: Corpus, blocks: frozenset[int]) -> Corpus:
    return some_of(corpus, lambda document: block_of(document.id) in blocks)

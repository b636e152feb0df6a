"""Texts with keywords, and which of them are to train on, to choose with and to score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from headscope.blocks import number_of
from headscope.errors import InputError
from headscope.questions.keywords.options import Options
from headscope.text import Corpus, Document, read_keywords
from headscope.text.checksums import digest_derived
from headscope.text.keyphrases import marked

TRAIN, DEV, TEST = 0, 1, 2
PARTS = ("train", "dev", "test")


@dataclass(frozen=True)
class Texts:
    """What was read: CORPUS, perhaps other texts to train on, and all of it as one.

    part: the part of each document of `corpus`, by its number (`blocks.number_of`). words: of all documents.
    others: whether the documents to train on are others than those of CORPUS.
    """

    corpora: Sequence[Corpus]
    corpus: Corpus
    part: dict[int, int]
    words: int

    @property
    def others(self) -> bool:
        return len(self.corpora) > 1

    @classmethod
    def of(cls, options: Options) -> Texts:
        """Read everything once; a broken text is found before any work."""
        columns: dict[str, Any] = {"column": options.column, "keywords": options.keywords}
        given = [options.corpus] if options.train is None else [options.corpus, options.train]
        corpora = [read_keywords(one, **columns, **options.reading()) for one in given]
        seen = [_Seen.of(corpus) for corpus in corpora]
        _check_names(seen, corpora)
        shares = [options.train_share, options.dev_share]
        if len(corpora) == 1:
            part = _parted(seen[0], shares, corpora[0])
        else:
            whole = sum(shares)
            part = dict.fromkeys(seen[0].numbers, TEST)
            part |= _parted(seen[1], [shares[0] / whole, shares[1] / whole], corpora[1])
        _check_parts(part, {**seen[0].kinds, **seen[-1].kinds})
        words = sum(own.words for own in seen)
        return cls(corpora, _together(corpora), part, words)


@dataclass(frozen=True)
class _Seen:
    """The documents of a corpus as numbers, and how many words they have.

    kinds: of each document, whether it has a word of a keyword, and another one.
    """

    numbers: list[int]
    words: int
    kinds: dict[int, tuple[bool, bool]]

    @classmethod
    def of(cls, corpus: Corpus) -> _Seen:
        numbers, words, kinds = [], 0, {}
        for document in corpus:
            if not document.keywords:
                raise InputError(
                    f"document '{document.id}' has no keywords; give an archive of texts and key files, or a "
                    "table with a column of keywords"
                )
            numbers.append(number_of(document.id))
            words += len(document.words)
            is_key = marked(document)
            kinds[numbers[-1]] = (bool(is_key.any()), not is_key.all())
        if not any(found for found, _ in kinds.values()):
            raise InputError(f"{corpus.source}: no keyword occurs in its text, so none can be found there")
        return cls(numbers, words, kinds)


def _check_names(seen: Sequence[_Seen], corpora: Sequence[Corpus]) -> None:
    for own, corpus in zip(seen, corpora, strict=True):
        if len(own.kinds) < len(own.numbers):
            raise InputError(f"{corpus.source}: two documents have one name, so they cannot be told apart")
    if len(seen) > 1 and seen[0].kinds.keys() & seen[1].kinds.keys():
        raise InputError(
            "a document is in both corpora, by its name; train on other texts, or name the files differently"
        )


def _check_parts(part: dict[int, int], kinds: dict[int, tuple[bool, bool]]) -> None:
    """Every part must have words of keywords and others: to learn from, to choose with, to score."""
    for number, name in enumerate(PARTS):
        own = [kinds[document] for document, place in part.items() if place == number]
        for has, lacks in zip(zip(*own, strict=True), ("no word of a keyword", "only keywords"), strict=True):
            if not any(has):
                raise InputError(
                    f"the {len(own)} documents of the {name} part have {lacks}; give more texts, or other "
                    "shares (--train-share, --dev-share)"
                )


def _parted(seen: _Seen, shares: Sequence[float], corpus: Corpus) -> dict[int, int]:
    """Documents in the order of their numbers, which are hashes of their names: so an order of chance."""
    parts = 3 if sum(shares) < 0.999 else 2
    if len(seen.numbers) < parts:
        raise InputError(
            f"{corpus.source}: {len(seen.numbers)} documents; {parts} are needed, to train, to choose and to "
            "score on"
        )
    size = len(seen.numbers)
    train = int(np.clip(round(shares[0] * size), 1, size - parts + 1))
    dev = size - train if parts == 2 else int(np.clip(round(shares[1] * size), 1, size - train - 1))
    order = sorted(seen.numbers)
    counts = (train, dev, size - train - dev)
    return dict(zip(order, np.repeat([TRAIN, DEV, TEST], counts).tolist(), strict=True))


def _together(corpora: Sequence[Corpus]) -> Corpus:
    """Several corpora as one, by which a run is known."""
    first = corpora[0]
    if len(corpora) == 1:
        return first
    sums = [corpus.checksum for corpus in corpora]

    def stream() -> Iterator[Document]:
        return chain.from_iterable(corpora)

    digest = digest_derived(sums[0], " ".join(sums[1:]))
    return Corpus(first.name, ", ".join(corpus.source for corpus in corpora), stream, lambda: digest)

"""Texts in which a word or a statement stands, and runs on for as long as it is to be remembered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from headscope.questions.memory.making import classes_of
from headscope.questions.memory.options import Options
from headscope.questions.memory.words import CARRIER, LEADS, SENTENCES
from headscope.text import Corpus, Document, Segment
from headscope.text.encoding import Tokenizer
from headscope.text.whole import spaced, whole

PARTS = 5
"""Texts are dealt out to so many: three to train on, one to tune, one to score."""


@dataclass(frozen=True)
class Texts:
    """documents: by number, each called NUMBER:PLACE, the place of the last word to remember. classes: of
    each, (text,). behind: words behind that place.
    """

    documents: list[Document]
    classes: np.ndarray
    behind: int

    @classmethod
    def of(cls, options: Options, behind: int) -> Texts:
        """As many texts of each class, with so many words behind what is to be remembered.

        What surrounds it is drawn, and tells nothing of it.
        """
        random, phrases = np.random.default_rng([options.seed, behind]), classes_of(options)
        size = options.classes * options.examples
        classes = np.arange(size) % options.classes
        leads = random.integers(0, len(LEADS), size)
        orders = random.permuted(np.tile(np.arange(len(SENTENCES)), (size, 1)), axis=1)
        chosen = random.integers(0, len(phrases[0]), size)
        lead = CARRIER if options.task == "words" else ()
        documents = []
        for number, (own, phrase, order) in enumerate(zip(classes, chosen, orders, strict=True)):
            before = (*LEADS[leads[number]].split(), *lead, *phrases[own][phrase])
            rest = chain.from_iterable(SENTENCES[place].split() for place in np.tile(order, behind))
            after = [".", *(word for word, _ in zip(rest, range(behind - 1), strict=False))]
            documents.append(Document.from_words(f"{number}:{len(before) - 1}", [*before, *after]))
        return cls(documents, classes, behind)

    @property
    def parts(self) -> np.ndarray:
        """Which part each text is in, (text,) from 0; every class has as many in each."""
        parts: np.ndarray = np.arange(len(self.classes)) // (self.classes.max() + 1) % PARTS
        return parts

    def cut(self, tokenizer: Tokenizer) -> tuple[Texts, int]:
        """The same without the words that no delay reaches, and the pieces of the longest.

        A word may have several pieces, so that fewer words give as many.
        """
        cut, longest = [], 0
        for document in self.documents:
            segment = whole(spaced(document), tokenizer)
            reached = int(Behind((self.behind,))(segment)[0, 0])
            last = segment.word[reached] if reached < len(segment) else -1
            words = document.surfaces()[: last + 1] if last >= 0 else document.surfaces()
            kept = Document.from_words(document.id, words)
            longest = max(longest, len(whole(spaced(kept), tokenizer)))
            cut.append(kept)
        return replace(self, documents=cut), longest

    @property
    def words(self) -> int:
        return sum(len(document.words) for document in self.documents)

    def corpus(self) -> Corpus:
        return Corpus("made texts", "memory", lambda: self.documents)


@dataclass(frozen=True)
class Behind:
    """The pieces so many places behind the last piece of what is to be remembered: a unit for each delay."""

    delays: tuple[int, ...]

    def __call__(self, segment: Segment) -> np.ndarray:
        """(delay, 2), end exclusive; empty where the text has ended."""
        place = int(segment.document.rpartition(":")[2])
        (own,) = np.nonzero(segment.word == place)
        start = (own[-1] if len(own) else len(segment)) + np.array(self.delays)
        end = np.minimum(start + 1, len(segment))
        return np.stack([np.minimum(start, len(segment)), end], 1)

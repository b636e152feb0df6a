"""What false trees and rare words need to know of a whole treebank, gathered before a model runs over it.

Memory does not grow with the number of sentences: of each length, some sentences are kept whose trees
others of the same length may borrow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Literal

import numpy as np

from headscope.analyses.labels import plain
from headscope.blocks import number_of
from headscope.errors import InputError
from headscope.measures.matched_trees import BINS, Matched, arc_counts
from headscope.text import Dependencies, Distributions, Document, sentences

Scheme = Literal["ud", "sd"]
LENDERS = 64
"""So many sentences of each length are kept; their names decide which, so that the order does not matter."""


@dataclass
class Lender:
    """A sentence whose tree others of its length may borrow: its key, heads (word,), and own targets."""

    key: int
    heads: np.ndarray
    own: Distributions | None


@dataclass
class Census:
    """Arcs and sentences by length, sentences that lend their trees, and how rare words are.

    scheme: how trees are read. seed: of everything that is drawn.
    """

    scheme: Scheme
    seed: int
    arcs: dict[int, tuple[int, np.ndarray]] = field(default_factory=dict)
    lenders: dict[int, list[Lender]] = field(default_factory=dict)
    occurrences: Counter[str] = field(default_factory=Counter)
    spread: Counter[str] = field(default_factory=Counter)  # sentences that have the word
    own: bool = False  # whether the source has distributions of its own
    matched: Matched = field(default_factory=lambda: Matched({}))

    @classmethod
    def of(cls, documents: Iterable[Document], scheme: Scheme, seed: int) -> Census:
        """Go through all sentences once."""
        census = cls(scheme, seed)
        for document in documents:
            for number, sentence in sentences(document):
                census._take(sentence, sentence_key(seed, document.id, number))
        for length in census.lenders:
            census._prune(length)
        census.matched = Matched(census.arcs)
        return census

    def heads(self, tree: Dependencies) -> np.ndarray:
        """The heads of a sentence (word,) as the scheme has them."""
        return tree.heads if self.scheme == "ud" else with_cases_above(tree.heads, tree.relations)

    def lender(self, key: int, words: int) -> Lender | None:
        """Another sentence of as many words; None where there is no other."""
        others = [lender for lender in self.lenders.get(words, ()) if lender.key != key]
        return others[key % len(others)] if others else None

    def rarity(self, words: Sequence[str]) -> np.ndarray:
        """Logarithm of the frequency, and TF-IDF with the sentence as the text, of each word: (2, word)."""
        lower = [word.lower() for word in words]
        here, total = Counter(lower), sum(sentences for sentences, _ in self.arcs.values())
        tf_idf = [here[word] * log(total / max(1, self.spread[word])) for word in lower]
        return np.array([[log(max(1, self.occurrences[word])) for word in lower], tf_idf])

    def _take(self, sentence: Document, key: int) -> None:
        if sentence.dependencies is None:
            raise InputError(f"document '{sentence.id}' has no trees; read a treebank, or parse the text")
        heads = self.heads(sentence.dependencies)
        count, arcs = self.arcs.get(len(heads), (0, np.zeros(BINS)))
        self.arcs[len(heads)] = (count + 1, arcs + arc_counts(heads))
        self.lenders.setdefault(len(heads), []).append(Lender(key, heads, sentence.distributions))
        self.own = self.own or sentence.distributions is not None
        if len(self.lenders[len(heads)]) > 2 * LENDERS:
            self._prune(len(heads))
        words = [word.lower() for word in sentence.surfaces()]
        self.occurrences.update(words)
        self.spread.update(set(words))

    def _prune(self, length: int) -> None:
        self.lenders[length] = sorted(self.lenders[length], key=lambda lender: lender.key)[:LENDERS]


def sentence_key(seed: int, document: str, number: int) -> int:
    """A number of 64 bits that stands for a sentence: what is drawn for it follows from that alone."""
    return number_of(f"{seed}\n{number}\n{document}")


def with_cases_above(heads: np.ndarray, relations: Sequence[str]) -> np.ndarray:
    """Heads (word,) where prepositions head their nouns, as in Stanford Dependencies; nothing else changes.

    The first of several takes the noun's place, each further one hangs on the one before, and the noun on the
    last.

    >>> with_cases_above(np.array([-1, 3, 3, 0]), ["root", "case", "det", "obl"]).tolist()  # go to the house
    [-1, 0, 3, 1]
    """
    changed = heads.copy()
    last: dict[int, int] = {}
    cases = [word for word, name in enumerate(relations) if plain(name) == "case" and heads[word] >= 0]
    for word in cases:
        noun = int(heads[word])
        changed[word] = last.get(noun, heads[noun])
        changed[noun] = last[noun] = word
    return changed

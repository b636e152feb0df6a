"""Keyphrases extracted from each text: candidates ranked by what their words receive or score.

The score of a phrase is the sum over its words; over its places it is summed too, but of a single word
averaged (Kang and Shin 2023, SAMRank). Phrases are compared whole, in lower case, by stems where these are
known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from headscope.measures.phrases import CUTS, f1_at, found_at
from headscope.questions.keywords.words import Words
from headscope.text import Document
from headscope.text.keyphrases import Candidates, candidates, occurrences, words_of

Stem = Callable[[str], str]
INSTALL = "pip install 'headscope[stems]'"
ALL_KEYS, KEYS_IN_TEXT = "all", "in the text"


def stemmer() -> Stem | None:
    """Porter 1980, of the package snowballstemmer; None where it is not there."""
    try:
        import snowballstemmer
    except ImportError:
        return None
    stem: Stem = lru_cache(maxsize=100_000)(snowballstemmer.stemmer("porter").stemWord)
    return stem


def comparable(phrase: str, stem: Stem | None = None) -> str:
    """A phrase as it is compared: its words in lower case, or their stems.

    >>> comparable("Neural  Networks"), comparable("art") == comparable("article")
    ('neural networks', False)
    """
    words = words_of(phrase)
    return " ".join(words if stem is None else map(stem, words))


@dataclass(frozen=True)
class Ranking:
    """The candidates of one document. phrases: as they are compared. wanted: keyphrases, all, and those that
    occur in the text. shares: (phrase, scored word) how much of a word's score goes to a phrase. rows: the
    scored words of the document."""

    phrases: list[str]
    wanted: dict[str, set[str]]
    shares: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(
        cls, document: Document, rows: np.ndarray, positions: np.ndarray, kind: Candidates, stem: Stem | None
    ) -> Ranking:
        """rows, positions: (word,) places of its scored words among all words, and in the document."""
        spans = candidates(document, kind)
        shares = np.zeros((len(spans), len(rows)), np.float32)
        place = {position: column for column, position in enumerate(positions.tolist())}
        for number, own in enumerate(spans.values()):
            single = len(own) if own[0][1] - own[0][0] == 1 else 1
            for start, stop in own:
                columns = [place[word] for word in range(start, stop) if word in place]
                shares[number, columns] += 1 / single
        inside = {"".join(words_of(document.text[document.words[start][0] : document.words[stop - 1][1]]))
                  for start, stop in occurrences(document)}  # fmt: skip
        keys = document.keywords or ()
        wanted = {
            ALL_KEYS: {comparable(key, stem) for key in keys},
            KEYS_IN_TEXT: {comparable(key, stem) for key in keys if "".join(words_of(key)) in inside},
        }
        return cls([comparable(phrase, stem) for phrase in spans], wanted, shares, rows)


class Extraction:
    """The candidates of some documents, made once and ranked by many scores."""

    def __init__(self, words: Words, parts: Sequence[int], kind: Candidates, stem: Stem | None) -> None:
        edges = np.searchsorted(words.document, np.arange(len(words.texts) + 1))
        self.rankings = []
        for number in np.flatnonzero(np.isin(words.part, parts)).tolist():
            rows = np.arange(edges[number], edges[number + 1])
            self.rankings.append(Ranking.of(words.texts[number], rows, words.position[rows], kind, stem))

    def f1(self, scores: Callable[[np.ndarray], np.ndarray], keys: str = ALL_KEYS) -> np.ndarray:
        """F1 of every document that has such a key: (document, convention, ranking, cut).

        scores: rows of words to their scores, (word, ranking). The conventions of precision: as many as were
        taken, and k.
        """
        values = []
        for ranking in self.rankings:
            wanted = ranking.wanted[keys]
            if not wanted:
                continue
            own = scores(ranking.rows)
            if not len(ranking.phrases):
                values.append(np.zeros((2, own.shape[1], len(CUTS))))
                continue
            found = found_at((ranking.shares @ own).T, ranking.phrases, wanted)
            values.append(np.stack([f1_at(found), f1_at(found, by_cut=True)]))
        return np.stack(values) if values else np.zeros((0, 2, 1, len(CUTS)))

    def counts(self) -> Mapping[str, Any]:
        """How many candidates and keyphrases a document has on average, and the share that is a candidate."""
        sizes = [len(set(ranking.phrases)) for ranking in self.rankings]
        keys = [ranking.wanted[ALL_KEYS] for ranking in self.rankings]
        hit = sum(len(own & set(ranking.phrases)) for own, ranking in zip(keys, self.rankings, strict=True))
        return {
            "candidates": float(np.mean(sizes)),
            "keys_each": float(np.mean([len(own) for own in keys])),
            "reachable": hit / max(1, sum(map(len, keys))),
        }

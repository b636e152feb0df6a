"""What is known of a sentence without a model: its length, its words, the mean of its words' vectors.

These are the baselines of Conneau et al. 2018, table 2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix

from headscope.probes.vectors import Vectors

Words = Sequence[str]


def by_length(train: Sequence[Words], labels: np.ndarray, asked: Sequence[Words]) -> np.ndarray:
    """The most frequent label of the training sentences of the same length, or of the nearest one.

    >>> by_length([["a"], ["b", "c"]], np.array([0, 1]), [["x"], ["x", "y", "z"]]).tolist()
    [0, 1]
    """
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for words, label in zip(train, labels.tolist(), strict=True):
        counts[len(words)][label] += 1
    best = {size: min(own, key=lambda label: (-own[label], label)) for size, own in counts.items()}
    sizes = np.array(sorted(best))
    nearest = [int(sizes[np.abs(sizes - len(words)).argmin()]) for words in asked]
    return np.array([best[size] for size in nearest], np.int64)


def majority(labels: np.ndarray) -> int:
    """The most frequent label; of equally frequent ones the first."""
    return int(np.bincount(labels).argmax())


class NaiveBayes:
    """Multinomial naive Bayes over tf-idf of words in lower case (unigrams), smoothed by 1.

    idf = ln((1 + n) / (1 + n_w)) + 1, for n training sentences of which n_w hold the word; the vector of a
    sentence has length 1. A label's chance of a word is (its sum over the label's sentences + 1) / (that of
    all words + how many words there are), and its prior its share of the sentences.
    """

    def __init__(self, train: Sequence[Words], labels: np.ndarray, classes: int) -> None:
        self._places = {word: place for place, word in enumerate(dict.fromkeys(_lowered(train)))}
        counts = self._counts(train)
        held = np.bincount(counts.indices, minlength=counts.shape[1])
        self._idf = np.log((1 + len(train)) / (1 + held)) + 1
        of_label = csr_matrix((np.ones(len(train)), (labels, np.arange(len(train)))), (classes, len(train)))
        sums = np.asarray((of_label @ self._weighted(counts)).todense()) + 1
        self._words = np.log(sums / sums.sum(1, keepdims=True))  # (class, word)
        with np.errstate(divide="ignore"):
            self._prior = np.log(np.bincount(labels, minlength=classes) / len(train))

    def answers(self, asked: Sequence[Words]) -> np.ndarray:
        """The likeliest label of each sentence, (sentence,); words that training had not do not count."""
        scores = self._weighted(self._counts(asked)) @ self._words.T + self._prior
        answers: np.ndarray = np.asarray(scores).argmax(1)
        return answers

    def _counts(self, sentences: Sequence[Words]) -> csr_matrix:
        rows = [
            (row, self._places[word])
            for row, words in enumerate(sentences)
            for word in _lowered([words])
            if word in self._places
        ]
        places = np.array(rows, np.int64).reshape(-1, 2).T
        shape = (len(sentences), max(1, len(self._places)))
        counts = csr_matrix((np.ones(places.shape[1]), (places[0], places[1])), shape)
        counts.sum_duplicates()
        return counts

    def _weighted(self, counts: csr_matrix) -> csr_matrix:
        weighted = counts.multiply(self._idf).tocsr()
        lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(1))).clip(1e-12)
        return csr_matrix(weighted.multiply(1 / lengths))


def mean_vectors(sentences: Sequence[Words], vectors: Vectors) -> np.ndarray:
    """The mean vector of a sentence's known words in lower case, (sentence, dim); zeros without any."""
    means = np.zeros((len(sentences), vectors.table.shape[1]), np.float32)
    for row, words in enumerate(sentences):
        rows = vectors.rows([word.lower() for word in words])
        known = rows[rows > 0]
        if len(known):
            means[row] = vectors.table[known].mean(0)
    return means


def _lowered(sentences: Sequence[Words]) -> list[str]:
    return [word.lower() for words in sentences for word in words]

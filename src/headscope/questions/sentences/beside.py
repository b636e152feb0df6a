"""What is known of a task without the model: majority, length, a bag of words, a bag of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headscope.probes.bags import NaiveBayes, by_length, majority, mean_vectors
from headscope.probes.regression import Sets, regress
from headscope.probes.vectors import Vectors
from headscope.questions.sentences.published import LENGTH, MAJORITY, VECTORS, WORDS
from headscope.questions.sentences.spoken import Spoken


def baselines(spoken: Spoken, sets: Sets, vectors: Vectors | None) -> dict[str, np.ndarray]:
    """Whether each baseline is right, by its name: (scored example,) bool."""
    train, test = (_words(spoken, split.rows) for split in (sets.train, sets.test))
    answers = {
        MAJORITY: np.full(len(test), majority(sets.train.labels)),
        LENGTH: by_length(train, sets.train.labels, test),
        WORDS: NaiveBayes(train, sets.train.labels, sets.classes).answers(test),
    }
    right = {name: given == sets.test.labels for name, given in answers.items()}
    if vectors is not None:
        used = np.unique(np.concatenate([sets.train.rows, sets.tune.rows, sets.test.rows]))
        means = mean_vectors(_words(spoken, used), vectors)[:, None]
        train_rows, tune_rows, test_rows = (
            replace(own, rows=np.searchsorted(used, own.rows)) for own in (sets.train, sets.tune, sets.test)
        )
        own = replace(sets, train=train_rows, tune=tune_rows, test=test_rows)
        right[VECTORS] = regress(means, own)["right"][0]
    return right


def _words(spoken: Spoken, rows: np.ndarray) -> Sequence[tuple[str, ...]]:
    return [spoken.sentences[row] for row in rows.tolist()]

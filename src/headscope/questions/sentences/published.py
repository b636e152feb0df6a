"""What Conneau et al. 2018 report in their table 2, on their English data: shares of right answers."""

from __future__ import annotations

MAJORITY, LENGTH, WORDS, VECTORS = "majority", "length", "bag of words", "bag of vectors"
LOGISTIC, PERCEPTRON = "logistic", "perceptron"
BASELINES = (MAJORITY, LENGTH, WORDS, VECTORS)
HUMAN = "human"

TASKS = ("SentLen", "WC", "TreeDepth", "TopConst", "BShift", "Tense", "SubjNum", "ObjNum", "SOMO", "CoordInv")

_ROWS = {
    MAJORITY: (20.0, 0.5, 17.9, 5.0, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0),
    LENGTH: (100, 0.2, 18.1, 9.3, 50.6, 56.5, 50.3, 50.1, 50.2, 50.0),
    WORDS: (22.7, 97.8, 24.1, 41.9, 49.5, 77.7, 68.9, 64.0, 38.0, 50.5),
    VECTORS: (66.6, 91.6, 37.1, 68.1, 50.8, 89.1, 82.1, 79.8, 54.2, 54.8),
    HUMAN: (100, 100, 84, 84, 98, 85, 88, 86.5, 81.2, 85),
}
"""Naive Bayes over tf-idf of unigrams; the mean of fastText vectors."""

PUBLISHED: dict[tuple[str, str], float] = {
    (task, name): share / 100 for name, row in _ROWS.items() for task, share in zip(TASKS, row, strict=True)
}
"""By task and baseline."""

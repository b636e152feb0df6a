"""What was published about keywords, beside what we measure; none of it is of the same model."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """F1 in percent of the first 5, 10 and 15 phrases, and over how many documents."""

    method: str
    corpus: str
    documents: int
    scores: tuple[float, float, float]


_CORPORA = {"Inspec": 500, "SemEval2010": 100, "SemEval2017": 493}
_ROWS = {
    "SAMRank, Llama-3-8B (Kang and Shin 2023)": ((34.2, 38.2, 38.1), (17.9, 21.0, 22.1), (24.7, 33.5, 37.0)),
    "Attention-Seeker, Llama-3-8B": ((35.5, 40.1, 39.2), (19.0, 23.1, 23.8), (25.4, 34.5, 38.5)),
    "PromptRank, T5": ((31.7, 37.9, 38.2), (17.2, 20.7, 21.4), (27.1, 37.8, 41.6)),
}
EXTRACTED = tuple(
    Published(method, corpus, documents, scores)
    for method, rows in _ROWS.items()
    for (corpus, documents), scores in zip(_CORPORA.items(), rows, strict=True)
)
"""Unsupervised extraction. SAMRank prints its best heads by the test score itself."""

SLIDES = {"fine-tuned": 0.36, "fine-tuned and pruned": 0.37}
"""F1 of BERT-base on an unnamed data set, in the slides "Utilizing attention for weighting text"."""

TAGGERS = {
    "Inspec": {"BERT": 0.474, "SciBERT": 0.488, "BiLSTM-CRF over SciBERT": 0.593},
    "SemEval2010": {"BERT": 0.236, "SciBERT": 0.268, "BiLSTM-CRF over SciBERT": 0.357},
    "SemEval2017": {"BERT": 0.270, "SciBERT": 0.339, "BiLSTM-CRF over SciBERT": 0.521},
}
"""F1 of whole keyphrases of fine-tuned taggers, Sahrawat et al. 2020, on their own splits."""


def corpus_named(file: str) -> str:
    """The corpus that a file holds by its name; "" for none.

    >>> corpus_named("semeval-2017.zip"), corpus_named("mine.csv")
    ('SemEval2017', '')
    """
    name = file.partition(".")[0].replace("-", "").lower()
    return next((corpus for corpus in _CORPORA if corpus.lower() == name), "")


def published_for(corpus: str) -> list[Published]:
    """The rows of a corpus, by the name of its file.

    >>> [row.method for row in published_for("Inspec.zip")][-1]
    'PromptRank, T5'
    """
    return [row for row in EXTRACTED if row.corpus == corpus_named(corpus)]

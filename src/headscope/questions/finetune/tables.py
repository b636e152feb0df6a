"""What fine-tuning leaves to read: the course of training, and how good the chosen weights are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from headscope.measures.statistics import score_interval
from headscope.models import Sides
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import Evaluation, evaluate
from headscope.tasks.journey import Mark
from headscope.tasks.metrics import Metric
from headscope.tasks.task import Task
from headscope.text import Corpus
from headscope.text.batches import Progress

COLUMNS = ("data", "source", "examples", "metric", "score", "low", "high", "loss", "majority", "constant")


@dataclass(frozen=True)
class Scored:
    """A data set scored with the chosen weights.

    majority: the score of always giving the label that is most frequent in training; constant: of the label
    with which that is highest. NaN where texts have no label.
    """

    data: str
    source: str
    evaluation: Evaluation
    majority: float
    constant: float

    @classmethod
    def of(
        cls,
        data: str,
        corpus: Corpus,
        module: Any,
        task: Task,
        train: Examples,
        prepared: Sequence[Sides],
        progress: Progress | None,
    ) -> Scored:
        """Score prepared batches of a corpus once, beside one label alone."""
        evaluation = evaluate(module, task, prepared, progress)
        return cls(data, corpus.name, evaluation, *_constant_of(train, prepared))


def training_table(marks: Sequence[Mark]) -> pd.DataFrame:
    """One row per evaluation; `chosen` is True for the one whose weights were kept in the end."""
    table = pd.DataFrame([asdict(mark) for mark in marks])
    last = max(place for place, mark in enumerate(marks) if mark.best)
    return table.assign(chosen=np.arange(len(marks)) == last)


def finetuned_table(scored: Sequence[Scored], metric: Metric, seed: int) -> pd.DataFrame:
    """One row per data set: score with a 95 % bootstrap interval over examples, loss and baseline."""
    rows = []
    for data in scored:
        score, loss, statistics = data.evaluation.score, data.evaluation.loss, data.evaluation.statistics
        low, high = score_interval(statistics, metric.value, seed)
        scores = (metric.name, score, low, high, loss, data.majority, data.constant)
        rows.append((data.data, data.source, len(statistics), *scores))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _constant_of(train: Examples, prepared: Sequence[Sides]) -> tuple[float, float]:
    """The scores of one label alone, where texts have one."""
    if not train.per_text:
        return float("nan"), float("nan")
    labels = [sides.labels.cpu().numpy() for sides in prepared if sides.labels is not None]
    return constant_scores(train.labels, np.concatenate(labels))


def constant_scores(train: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """The share of labels (example,) that are the one most frequent in training, or the one most frequent.

    >>> constant_scores(np.array([0, 1, 1]), np.array([1, 0, 0, 0]))
    (0.25, 0.75)
    """
    shares = np.bincount(labels, minlength=train.max() + 1) / len(labels)
    return float(shares[np.bincount(train).argmax()]), float(shares.max())

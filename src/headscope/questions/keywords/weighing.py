"""All heads together: regressions over what words receive, beside baselines; thresholds from other documents.

A method gives every word a score. Penalties and the threshold of a method are chosen on the dev documents,
its average precision and F1 are of the test documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import torch

from headscope.measures.precision import Precision, average_precision, best_threshold, found_by_document
from headscope.probes.logistic import Scaled, fit
from headscope.questions.keywords.baselines import baselines_of, surface_features
from headscope.questions.keywords.choosing import trained_precision
from headscope.questions.keywords.reading import DEV, TEST, TRAIN
from headscope.questions.keywords.vocabulary import (
    ALL_BASELINES,
    BEST_HEAD,
    BY_BOTH,
    BY_MAX,
    BY_MEAN,
    MIX,
    STATES,
    WITH_BASELINES,
)
from headscope.questions.keywords.words import MAX, MEAN, READINGS, Words

STRENGTHS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Penalties of a regression to choose among."""

TAUGHT = 60_000
"""Words that a regression learns from, at most: those of the first documents to train on."""

_TOGETHER = 2**14
"""Words scored at a time."""


@dataclass(frozen=True)
class Method:
    """A way to score words. scores: (word,) of all words. features: how many it reads.

    weights: (feature,) of a regression over features of mean 0 and spread 1. strength: of its penalty.
    """

    name: str
    scores: np.ndarray
    features: int
    weights: np.ndarray | None = None
    strength: float = float("nan")


@dataclass(frozen=True)
class Judged:
    """A method on the test documents: average precision, threshold, and (document, 3) words right, taken and
    wanted."""

    method: Method
    precision: Precision
    threshold: float
    found: np.ndarray


@dataclass
class Weighing:
    """The words with their parts, and what was trained over them.

    ranked: heads by their average precision on the words to train on, best first, in the reading `reading`.
    """

    words: Words
    judged: list[Judged] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.train, self.dev, self.test = (self.words.within(part) for part in (TRAIN, DEV, TEST))
        few = np.flatnonzero(self.train)[:TAUGHT]
        self.taught = np.zeros_like(self.train)
        self.taught[few] = True
        self.by_reading = trained_precision(self.words, self.train)
        self.reading = READINGS[int(np.nanargmax(self.by_reading.max(1)))]
        own = self.by_reading[READINGS.index(self.reading)]
        self.ranked = np.argsort(-own, kind="stable")

    def run(self) -> None:
        """Judge all methods."""
        self.judged = [self.judge(method) for method in self.methods()]

    def methods(self) -> Iterator[Method]:
        """One after the other; features are made when their turn comes."""
        words = self.words
        for name, scores in baselines_of(words).items():
            yield Method(name, scores, 1)
        yield self.regression(ALL_BASELINES, surface_features(words))
        head = self.ranked[0]
        yield Method(BEST_HEAD, words.reading(self.reading)[:, head].astype(np.float64), 1)
        mean, most = words.logs(MEAN), words.logs(MAX)
        yield self.regression(BY_MEAN, mean)
        yield self.regression(BY_MAX, most)
        yield self.regression(BY_BOTH, np.concatenate([mean, most], 1))
        yield self.mixed(mean)
        every = np.concatenate([mean, most, surface_features(words)], 1)
        yield self.regression(WITH_BASELINES, every)
        if words.hidden is not None:
            yield self.regression(STATES, words.hidden.reshape(len(words.key), -1))

    def judge(self, method: Method) -> Judged:
        words, test = self.words, self.test
        _, documents = np.unique(words.document[test], return_inverse=True)
        precision = average_precision(method.scores[None, test], words.key[test], documents)
        threshold = best_threshold(method.scores[self.dev], words.key[self.dev])
        found = found_by_document(method.scores[test] >= threshold, words.key[test], documents)
        return Judged(method, precision, threshold, found)

    def of(self, name: str) -> Judged:
        """What was judged under a name."""
        return next(own for own in self.judged if own.method.name == name)

    def regression(self, name: str, features: np.ndarray) -> Method:
        """Logistic regression over features (word, feature); the penalty with the best dev score."""
        labels = torch.from_numpy(self.words.key.astype(np.int64))
        given = torch.from_numpy(features[self.taught].astype(np.float32))
        scale = Scaled.of(given)
        fitted = fit(scale(given), labels[torch.from_numpy(self.taught)], 2, STRENGTHS)
        weights = fitted.weights[..., 1] - fitted.weights[..., 0]  # (strength, feature)
        level = fitted.bias[:, 1] - fitted.bias[:, 0]
        tried = _scored(scale, features[self.dev], weights.T) + level.numpy()
        key, owner = self.words.key[self.dev], self.words.document[self.dev]
        best = int(np.nanargmax(average_precision(tried.T, key, owner).value[::-1]))
        best = len(STRENGTHS) - 1 - best  # of equally good ones, the strongest
        scores = _scored(scale, features, weights[best]) + float(level[best])
        return Method(name, scores, features.shape[1], weights[best].numpy(), STRENGTHS[best])

    def mixed(self, features: np.ndarray) -> Method:
        """Scalar mixing: one weight for each head, all together 1 (Peters et al. 2018, equation 1), so that
        none speaks against keywords; scale and level are learned beside them."""
        given = torch.from_numpy(features[self.taught].astype(np.float32))
        scale = Scaled.of(given)
        given, wanted = scale(given), torch.from_numpy(self.words.key[self.taught].astype(np.float32))
        parts = torch.zeros(given.shape[1] + 2)
        parts[-2] = 1.0
        parts.requires_grad_()
        descent = torch.optim.LBFGS([parts], max_iter=100, line_search_fn="strong_wolfe")

        def loss() -> torch.Tensor:
            descent.zero_grad()
            logits = given @ parts[:-2].softmax(0) * parts[-2] + parts[-1]
            value = torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted)
            value.backward()  # type: ignore[no-untyped-call]
            return value

        descent.step(loss)  # type: ignore[no-untyped-call]
        shares = parts[:-2].detach().softmax(0)
        scores = _scored(scale, features, shares)
        return Method(MIX, scores, features.shape[1], shares.numpy())

    def by_number(self) -> list[tuple[int, Judged]]:
        """A regression over the best heads, mean and max of each, for more and more of them."""
        mean, most = self.words.logs(MEAN), self.words.logs(MAX)
        curve = []
        for count in counts_of(self.words.heads):
            chosen = self.ranked[:count]
            features = np.concatenate([mean[:, chosen], most[:, chosen]], 1)
            curve.append((count, self.judge(self.regression(f"{count} heads", features))))
        return curve


def counts_of(heads: int) -> list[int]:
    """How many heads a regression has, step by step.

    >>> counts_of(72)
    [1, 2, 3, 5, 8, 11, 17, 26, 38, 72]
    """
    steps = [round(1.5**power) for power in range(40) if 1.5**power < heads / 1.3]
    return sorted({*steps, heads})


def _scored(scale: Scaled, features: np.ndarray, weights: torch.Tensor) -> np.ndarray:
    """Scaled features (word, feature) times weights (feature, ...), some words at a time."""
    parts = np.array_split(features, len(features) // _TOGETHER + 1)
    scored = [scale(torch.from_numpy(part.astype(np.float32))) @ weights for part in parts]
    return torch.cat(scored).numpy().astype(np.float64)

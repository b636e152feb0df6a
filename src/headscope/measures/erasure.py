"""Erasing dimensions of a vector under a linear classifier (Li et al. 2016, sections 3 and 5).

A dimension is erased by putting another value in its place, the same for all examples. Li et al. put 0 there;
the mean over the training examples leaves a vector more like those that the classifier has seen.

Shapes: features (example, dim); instead (dim,), what is put in the place of each; weights (dim, class); bias
(class,); labels (example,).
"""

from __future__ import annotations

import numpy as np


def erasure_effects(
    features: np.ndarray, instead: np.ndarray, weights: np.ndarray, bias: np.ndarray, labels: np.ndarray
) -> np.ndarray:
    """How much log-likelihood of the right label is lost without each dimension, in nats: (dim,).

    Li et al. 2016, equation 1, without the division by the log-likelihood itself, which is unstable where
    that is near 0: I(d) = 1/|E| sum_e S(e, c) - S(e, c, not d).
    """
    places = np.arange(len(labels))
    logits = features @ weights + bias
    whole = _log_likelihoods(logits, labels, places)
    effects = np.empty(features.shape[1])
    for dim, gap in enumerate((instead - features).T):
        without = _log_likelihoods(logits + gap[:, None] * weights[dim], labels, places)
        effects[dim] = np.mean(whole - without)
    return effects


def accuracy_without(
    features: np.ndarray,
    instead: np.ndarray,
    weights: np.ndarray,
    bias: np.ndarray,
    labels: np.ndarray,
    order: np.ndarray,
) -> np.ndarray:
    """The share of right answers while dimensions are erased in an order, from none to all: (dim + 1,)."""
    logits = features @ weights + bias
    accuracy = [np.mean(logits.argmax(1) == labels)]
    gaps = instead - features
    for dim in order.tolist():
        logits += gaps[:, dim, None] * weights[dim]
        accuracy.append(np.mean(logits.argmax(1) == labels))
    return np.array(accuracy)


def dimensions_until(accuracy: np.ndarray, limit: float) -> int:
    """How many dimensions are gone when the accuracy has first fallen to a limit; all, if it never does.

    >>> dimensions_until(np.array([0.9, 0.8, 0.5, 0.6]), 0.5)
    2
    """
    below = np.flatnonzero(accuracy <= limit)
    return int(below[0]) if len(below) else len(accuracy) - 1


def dimensions_to_flip(
    features: np.ndarray,
    instead: np.ndarray,
    weights: np.ndarray,
    bias: np.ndarray,
    order: np.ndarray | None = None,
) -> np.ndarray:
    """How many dimensions must be erased until an answer falls behind the one that was second: (example,).

    Those that speak most for the answer go first, which needs as few as can be; Li et al. 2016, section 5,
    learn which ones. With an order (dim,), they go in that one. Where erasing never does it, all dimensions
    and one more are counted.
    """
    logits = features @ weights + bias
    second, first = np.argsort(logits, axis=1, kind="stable")[:, -2:].T
    places = np.arange(len(logits))
    margin = logits[places, first] - logits[places, second]
    speaks = (features - instead) * (weights[:, first] - weights[:, second]).T  # (example, dim)
    gone = -np.sort(-speaks, axis=1) if order is None else speaks[:, order]
    flipped = np.cumsum(gone, axis=1) > margin[:, None]
    counts: np.ndarray = np.where(flipped.any(1), flipped.argmax(1) + 1, features.shape[1] + 1)
    return counts


def _log_likelihoods(logits: np.ndarray, labels: np.ndarray, places: np.ndarray) -> np.ndarray:
    highest = logits.max(1)
    total = highest + np.log(np.exp(logits - highest[:, None]).sum(1))
    likelihoods: np.ndarray = logits[places, labels] - total
    return likelihoods

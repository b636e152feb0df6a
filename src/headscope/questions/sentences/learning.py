"""Classifiers over the vectors of a task's sentences: regression, perceptrons, and what erasing does.

Settings are chosen by the tuning examples, and scores are of the others. What each function gives are arrays,
as a store keeps them; `right` says of each scored example whether the answer is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from headscope.measures.erasure import (
    accuracy_without,
    dimensions_to_flip,
    erasure_effects,
)
from headscope.probes.logistic import Scaled, fit
from headscope.probes.perceptrons import Examples, Perceptron, teach
from headscope.probes.regression import Sets, right_of, scaled

Arrays = dict[str, np.ndarray]

DROPOUTS = (0.0, 0.2)
"""Shares of hidden units left out in training to choose among."""

ORDERS, LEANT = 3, 2000
"""Random orders in which dimensions are erased, for comparison; training examples, at most, that tell on
which dimensions a classifier leans."""


def perceive(
    vectors: np.ndarray, sets: Sets, layer: int, widths: Sequence[int], seeds: int, seed: int
) -> Arrays:
    """Perceptrons over each layer, width and dropout tuned at one layer with the first seed.

    One layer is in memory at a time. right: (seed, layer, example). tuned: (layer,). hidden, dropout: (1,).
    """
    train, tune, _ = _examples(vectors[:, layer], sets)
    tried = [Perceptron(0, width, rate, seed) for width in widths for rate in DROPOUTS]
    trials = teach(tried, train, tune, sets.classes, seed)
    best = tried[int(np.argmax([right_of(one.answers(tune), sets.tune.labels).mean() for one in trials]))]
    right, tuned = [], []
    for place in range(vectors.shape[1]):
        train, tune, test = _examples(vectors[:, place], sets)
        taught = [
            teach([replace(best, seed=number)], train, tune, sets.classes, number)[0]
            for number in range(seed, seed + seeds)
        ]
        right.append([right_of(one.answers(test), sets.test.labels) for one in taught])
        tuned.append(np.mean([right_of(one.answers(tune), sets.tune.labels).mean() for one in taught]))
    return {
        "right": np.array(right).swapaxes(0, 1),
        "tuned": np.array(tuned),
        "hidden": np.array([best.hidden]),
        "dropout": np.array([best.dropout]),
    }


def erase(vectors: np.ndarray, sets: Sets, strengths: np.ndarray, put: str, seed: int) -> Arrays:
    """What a logistic regression over each layer loses without dimensions; put: their mean, or 0, instead.

    effects: (layer, dim) in nats, of training examples, which give the order. curve: (layer, dim + 1) share
    of right scored answers while they go; random: the mean of the same over random orders. flips, chance:
    (layer,) median of how many must go until an answer flips, those that speak for it first, or at random.
    """
    names = ("effects", "curve", "random", "flips", "chance")
    found: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for layer, strength in enumerate(strengths.tolist()):
        scale = Scaled.of(torch.from_numpy(vectors[sets.train.rows, layer].astype(np.float32)))
        train, _, test = scaled(vectors[:, layer], sets)
        fitted = fit(train, torch.from_numpy(sets.train.labels), sets.classes, [strength])
        weights, bias = fitted.weights[0].double().numpy(), fitted.bias[0].double().numpy()
        instead = np.zeros(len(weights)) if put == "mean" else (-scale.mean / scale.spread).double().numpy()
        draw = np.random.default_rng([seed, layer])
        some = draw.permutation(len(train))[:LEANT]
        leant, scored = train[some].double().numpy(), test.double().numpy()
        effects = erasure_effects(leant, instead, weights, bias, sets.train.labels[some])
        orders = [
            np.argsort(-effects, kind="stable"),
            *(draw.permutation(len(effects)) for _ in range(ORDERS)),
        ]
        curves = [
            accuracy_without(scored, instead, weights, bias, sets.test.labels, order) for order in orders
        ]
        flips = [
            np.median(dimensions_to_flip(scored, instead, weights, bias, order))
            for order in (None, orders[1])
        ]
        values = (effects, curves[0], np.mean(curves[1:], axis=0), *map(np.array, flips))
        for name, value in zip(names, values, strict=True):
            found[name].append(value)
    return {name: np.stack(values) for name, values in found.items()}


def _examples(vectors: np.ndarray, sets: Sets) -> list[Examples]:
    """Vectors (sentence, dim) of the examples of each part, for perceptrons."""
    splits = (sets.train, sets.tune, sets.test)
    return [
        Examples(features[None], torch.from_numpy(split.labels))
        for features, split in zip(scaled(vectors, sets), splits, strict=True)
    ]

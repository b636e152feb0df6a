"""Logistic regression over vectors of examples, layer by layer: the penalty is chosen by tuning examples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from headscope.probes.logistic import Scaled, fit

STRENGTHS = (3e-3, 3e-2, 3e-1)
"""Penalties of logistic regression to choose among."""


@dataclass(frozen=True)
class Split:
    """The examples of one part of the data: rows of the vectors, and labels from 0, (example,) each."""

    rows: np.ndarray
    labels: np.ndarray


@dataclass(frozen=True)
class Sets:
    """A task as numbers. blocks: (scored example,) of their documents."""

    train: Split
    tune: Split
    test: Split
    classes: int
    blocks: np.ndarray


def regress(vectors: np.ndarray, sets: Sets) -> dict[str, np.ndarray]:
    """Logistic regression over each layer of vectors (sentence, layer, dim), its penalty tuned.

    right: (layer, example). tuned: (layer,) share of right tuning answers. strength: (layer,).
    """
    right, tuned, strength = [], [], []
    for layer in range(vectors.shape[1]):
        train, tune, test = scaled(vectors[:, layer], sets)
        fitted = fit(train, torch.from_numpy(sets.train.labels), sets.classes, STRENGTHS)
        shares = right_of(fitted.logits(tune), sets.tune.labels).mean(1)
        best = int(np.flatnonzero(shares == shares.max())[-1])  # of equally good ones, the strongest
        right.append(right_of(fitted.logits(test)[best], sets.test.labels))
        tuned.append(shares[best])
        strength.append(STRENGTHS[best])
    return {"right": np.stack(right), "tuned": np.array(tuned), "strength": np.array(strength)}


def scaled(vectors: np.ndarray, sets: Sets) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Vectors (sentence, dim) of the examples of each part, scaled by those to train on."""
    train, tune, test = (
        torch.from_numpy(vectors[split.rows].astype(np.float32))
        for split in (sets.train, sets.tune, sets.test)
    )
    scale = Scaled.of(train)
    return scale(train), scale(tune), scale(test)


def right_of(logits: torch.Tensor, labels: np.ndarray) -> np.ndarray:
    """Whether each answer is right, (..., example)."""
    right: np.ndarray = logits.argmax(-1).numpy() == labels
    return right

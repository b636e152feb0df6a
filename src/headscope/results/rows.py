"""Rows of a map of which some keys are hidden: how much is left of them, and whether that says anything."""

from __future__ import annotations

from typing import Any

import numpy as np

SCANT = 0.05
"""A row of which less is left when tokens are hidden says nothing of where its token looks."""

SCANT_TOLD = f"grey: under {100 * SCANT:g} % of a row's weight is left"
"""What a picture says of rows of which so little is left."""


def renormalise(weights: np.ndarray) -> np.ndarray:
    """Let each row (..., query, key) sum to 1 again; rows without any weight stay 0, NaN counts as 0.

    >>> renormalise(np.array([[0.1, 0.3], [0.0, np.nan]]))
    array([[0.25, 0.75],
           [0.  , 0.  ]])
    """
    filled: np.ndarray = np.nan_to_num(weights)
    sums = filled.sum(axis=-1, keepdims=True)
    filled /= np.where(sums > 0, sums, 1.0)
    return filled


def share_left(weights: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Of each row (..., query, key), the share of its weight on the kept keys; all, where it has none.

    >>> share_left(np.array([[0.9, 0.02, 0.08], [0.0, 0.0, 0.0]]), np.array([1, 2]))
    array([0.1, 1. ])
    """
    filled = np.nan_to_num(weights)
    whole = filled.sum(axis=-1)
    shares: np.ndarray = np.ones_like(whole)
    np.divide(filled[..., kept].sum(axis=-1), whole, out=shares, where=whole > 0)
    return shares


def is_scant(left: Any) -> np.ndarray:
    """Whether so little is left of a row that what it shows is noise.

    >>> is_scant(np.array([0.002, 0.05, 1.0]))
    array([ True, False, False])
    """
    return np.asarray(np.asarray(left) < SCANT)


def is_alone(weights: np.ndarray) -> np.ndarray:
    """Whether a row (..., query, key) is of a token that sees itself alone, and says nothing: the first one
    of a map in which nothing looks ahead.

    >>> is_alone(np.array([[1.0, 0.0], [0.9, 0.1]]))
    array([ True, False])
    >>> is_alone(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    array([False, False, False])
    """
    alone = np.zeros(weights.shape[:-1], bool)
    if weights.shape[-2] == weights.shape[-1]:
        alone[..., 0] = ~np.triu(np.nan_to_num(weights), 1).any((-2, -1))
    return alone

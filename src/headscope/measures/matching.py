"""Heads of two models matched before they are compared: a head's number means nothing across seeds."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment


def matched(distances: np.ndarray) -> np.ndarray:
    """For each own head the other that it is matched with, so that the sum of distances is least: (own,).

    distances: (own, other), as many of both. Kuhn 1955.

    >>> matched(np.array([[0.1, 0.2], [0.0, 0.9]]))
    array([1, 0])
    """
    own, other = linear_sum_assignment(distances)
    result: np.ndarray = other[np.argsort(own)]
    return result


def matched_distances(distances: np.ndarray) -> np.ndarray:
    """The distance of each own head to the one that it is matched with, layer by layer: (layer, own).

    distances: (layer, own, other).

    >>> matched_distances(np.array([[[0.1, 0.2], [0.0, 0.9]]]))
    array([[0.2, 0. ]])
    """
    pairs = np.array([matched(layer) for layer in distances]).reshape(distances.shape[:2])
    result: np.ndarray = np.take_along_axis(distances, pairs[..., None], axis=2)[..., 0]
    return result

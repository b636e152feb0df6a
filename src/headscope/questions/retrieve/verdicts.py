"""Whether trials are enough to say that a head finds more than chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headscope.results.reading import WIDTH


def is_above_chance(head: Mapping[Any, Any]) -> bool:
    """Whether the 95 % interval of a head's score lies above a random key; no interval, no claim.

    >>> is_above_chance({"score": 0.3, "se": 0.1, "chance": 0.01})
    True
    >>> is_above_chance({"score": 0.3, "se": float("nan"), "chance": 0.01})
    False
    """
    return bool(head["score"] - WIDTH * head["se"] > head["chance"])

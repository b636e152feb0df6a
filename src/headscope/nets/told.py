"""What transformers tells a net beside its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOLD = {"output_attentions": False, "output_hidden_states": False, "return_dict": True}
"""Said to every model that writes, with the only value that our nets have an answer for."""


def check_told(told: Mapping[str, Any]) -> None:
    """Refuse by name what would be left out without a word.

    >>> check_told({"return_dict": True, "labels": [3]})
    Traceback (most recent call last):
    TypeError: the net has no use for labels
    """
    left_out = [name for name, value in told.items() if value is not None and TOLD.get(name) is not value]
    if left_out:
        raise TypeError(f"the net has no use for {', '.join(left_out)}")

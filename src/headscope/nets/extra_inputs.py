"""What transformers gives a net beside its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

USUAL = {"output_attentions": False, "output_hidden_states": False, "return_dict": True}
"""Given to every model that writes, with the only value that our nets have an answer for."""


def refuse_unused(extra: Mapping[str, Any]) -> None:
    """Refuse by name what would be left out without a word.

    >>> refuse_unused({"return_dict": True, "labels": [3]})
    Traceback (most recent call last):
    TypeError: the net has no use for labels
    """
    unused = [name for name, value in extra.items() if value is not None and USUAL.get(name) is not value]
    if unused:
        raise TypeError(f"the net has no use for {', '.join(unused)}")

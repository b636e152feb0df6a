"""Plain values: what JSON can hold, so that what was asked can be stored, read back and compared."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any


def plain(value: Any) -> Any:
    """The value as JSON can hold it, so that what was written equals what is read back.

    >>> plain({"layers": (0, 2), "path": PurePath("a/b"), "rate": 0.5, 3: float("inf")})
    {'layers': [0, 2], 'path': 'a/b', 'rate': 0.5, '3': 'inf'}
    """
    value = without_numpy(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} cannot be written as JSON: {value!r}")


def without_numpy(value: Any) -> Any:
    """What Python has for a number or array of numpy, which is not imported for it: so help comes at once."""
    numpy = sys.modules.get("numpy")
    is_numpy = numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray))
    return value.tolist() if is_numpy else value

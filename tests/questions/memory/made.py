"""The smallest question about nets that has everything in it."""

from __future__ import annotations

from typing import Any

FEW: dict[str, Any] = {
    "classes": 3, "words": 6, "delays": (4, 8), "delay": 5, "seeds": 1, "steps": 8, "hidden": 8, "slower": 4,
    "descent": 3, "tested": 30, "batch_size": 16,
}  # fmt: skip

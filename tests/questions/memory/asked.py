"""How memory is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked


def write(folder: Path) -> dict[str, Any]:
    few = {"classes": 2, "examples": 10, "delays": (1, 4), "layers": (0, 1), "batch_size": 8}
    return {"model": "bert", **few}


ASKED = Asked(write, data=(), undrawn=("retention", "slow_points", "drifting_states"))

"""Names of runs or checkpoints along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from headscope.drawing.glyphs import readable
from headscope.drawing.style import SMALL

_MOST_NAMES = 12


def name_steps(axes: Axes, names: Sequence[object] | np.ndarray, label: str) -> None:
    """Write names at 0, 1, 2, ... below an axis, as many as fit; long ones are tilted."""
    step = max(1, -(-len(names) // _MOST_NAMES))
    shown = [readable(name, 16) for name in names[::step]]
    long = max(map(len, shown), default=0) > 4
    tilt: dict[str, Any] = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if long else {}
    axes.set_xticks(np.arange(len(names))[::step], shown, fontsize=SMALL - 0.5, **tilt)
    axes.set_xlabel(label)

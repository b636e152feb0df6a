"""How show is asked on tiny data."""

from __future__ import annotations

from tests.battery.asked import Asked

ASKED = Asked(
    lambda folder: {"model": "bert", "text": "The [MASK] keeper wrote.", "head": ["L1H2"], "off": ["L0H1"]},
    data=("text",),
    pictures={"by": ["rollout"]},
)

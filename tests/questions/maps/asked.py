"""How maps is asked on tiny data."""

from __future__ import annotations

from tests.battery.asked import Asked

ASKED = Asked(lambda folder: {"model": "bert", "text": "The keeper wrote.", "words": True}, data=("text",))

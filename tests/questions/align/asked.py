"""How align is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.planted_links import pairs, plant
from tests.battery.asked import Asked


def write(folder: Path) -> dict[str, Any]:
    plant(folder / "planted")
    rows = ["source\ttarget", *("\t".join(pair) for pair in pairs()[0])]
    (folder / "pairs.tsv").write_text("\n".join(rows) + "\n")
    return {"model": "planted", "pairs": "pairs.tsv", "reverse": "planted", "links": True, "twins": 1}


# Its forecast is asked of an encoder, which it refuses.
ASKED = Asked(write, data=("pairs",), models=("model", "reverse"), memory=False)

"""How coref is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.mentions import conll, mixed


def write(folder: Path) -> dict[str, Any]:
    (folder / "small.conll").write_text(conll(mixed()))
    return {"model": "bert", "corpus": "small.conll", "window": 22, "twins": 1}


ASKED = Asked(write, data=("corpus",))

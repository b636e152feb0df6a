"""How survey is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.cli.conftest import written


def write(folder: Path) -> dict[str, Any]:
    (folder / "mine.txt").write_text(written(20))
    return {"model": "bert", "text": "mine.txt", "pieces": 32}


ASKED = Asked(write, data=("text",))

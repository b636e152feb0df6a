"""How compare is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import headscope
from tests.battery.asked import Asked
from tests.cli.conftest import written


def write(folder: Path) -> dict[str, Any]:
    (folder / "mine.txt").write_text(written(20))
    fast = {"pieces": 32, "gradients": False, "distances": False, "plots": False}
    for model in ("bert", "bert-later"):
        headscope.survey(folder / model, folder / "mine.txt", out=folder / f"run-{model}", **fast)
    return {"runs": ["run-bert", "run-bert-later"]}


ASKED = Asked(write, data=("runs",))

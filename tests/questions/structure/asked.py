"""How structure is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.trees import conllu, treebank


def write(folder: Path) -> dict[str, Any]:
    (folder / "trees.conllu").write_text(conllu(treebank(12)))
    return {"model": "bert", "treebank": "trees.conllu", "twins": 1, "checkpoints": ("bert", "bert-later")}


ASKED = Asked(write, data=("treebank",), models=("model", "checkpoints"))

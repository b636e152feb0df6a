"""How layers is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.trees import conllu, treebank


def write(folder: Path) -> dict[str, Any]:
    (folder / "trees.conllu").write_text(conllu(treebank(12)))
    few = {"seeds": 2, "twins": 1, "steps": 2, "width": 4, "pieces": 40}
    return {"model": "bert", "data": "trees.conllu", **few}


ASKED = Asked(write, data=("data",), counted=("layer_targets",))

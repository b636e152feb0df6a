"""How probe is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.trees import conllu, treebank


def write(folder: Path) -> dict[str, Any]:
    (folder / "trees.conllu").write_text(conllu(treebank(12)))
    (folder / "vectors.txt").write_text("the 1 0 0\ndog 0 1 0.5\nold 0 0 1\nsaw 0.3 0.2 1\n")
    few = {"seeds": 1, "twins": 1, "epochs": 1, "pieces": 40}
    return {"model": "bert", "treebank": "trees.conllu", "vectors": "vectors.txt", **few}


ASKED = Asked(write, data=("treebank", "vectors"))

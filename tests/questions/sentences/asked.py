"""How sentences is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.questions.sentences.made import conllu


def write(folder: Path) -> dict[str, Any]:
    (folder / "trees.conllu").write_text(conllu(9, 5))
    (folder / "vectors.txt").write_text("the 1 0 0\nship 0 1 0.5\nold 0 0 1\nsaw 0.3 0.2 1\n")
    few = {"task": ["SentLen", "BShift"], "pooling": ["mean", "max"], "least": 5, "mlp": False}
    return {"model": "bert", "data": "trees.conllu", "vectors": "vectors.txt", **few}


ASKED = Asked(
    write,
    data=("data", "vectors"),
    pictures={"task": ["SentLen"], "mlp": True, "hidden": (2,), "seeds": 1},
    counted=("sentence_tasks",),
)

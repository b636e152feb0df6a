"""How retrieve is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked
from tests.questions.retrieve.made import TEXT, constant_writer
from tests.tokenizers import BUILDERS


def write(folder: Path) -> dict[str, Any]:
    tokenizer = BUILDERS["wordpiece"]()
    constant_writer(tokenizer).save_pretrained(folder / "writer")
    tokenizer.save_pretrained(folder / "writer")
    (folder / "hay.txt").write_text(TEXT)
    few = {"lengths": (50, 60), "depths": 2, "secret": 1, "draws": 1, "shard_characters": 1}
    return {"model": "writer", "text": "hay.txt", **few}


ASKED = Asked(write, data=("text",), memory=False)

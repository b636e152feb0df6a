"""How explain is asked on tiny data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.battery.asked import Asked

TEXTS = (
    "The old [MASK] wrote a book.",
    "A ship [MASK] every night.",
    "He said [MASK] to the keeper.",
    "The book was [MASK].",
)


def write(folder: Path) -> dict[str, Any]:
    rows = "".join(f"{text}\t{number % 2}\n" for number, text in enumerate(TEXTS))
    (folder / "texts.tsv").write_text(f"text\tlabel\n{rows}")
    by = ("attention", "rollout", "flow", "occlusion")
    return {"model": "bert", "data": "texts.tsv", "by": by, "by_sentence": True, "shard_characters": 10}


# It speaks of the texts that it was given and of no others.
ASKED = Asked(
    write,
    data=("data",),
    memory=False,
    twins=False,
    undrawn=("heads_that_made",),
    counted=("importance", "agreement"),
)

"""Short names of folders that a question is asked about, and of what models answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

ANSWERS = {"classification": "label", "pairs": "label", "tagging": "tag"}
"""What an answer to a task is; to all others, it is a piece."""


def answer_name(task: str, label: str, probability: float) -> str:
    """An answer of a model with what it is; task: of which kind, or nothing if that is not known.

    >>> answer_name("classification", "1", 0.7961), answer_name("masked", "cat", 0.5)
    ('label 1 (79.6 %)', 'piece cat (50.0 %)')
    """
    noun = ANSWERS.get(task, "piece") if task else "answer"
    return f"{noun} {label} ({100 * probability:.1f} %)"


def distinct_names(folders: Sequence[Path]) -> list[str]:
    """Each folder by its own name, with as many of those above it as tell all apart.

    >>> distinct_names([Path("/runs/plain/seed-0"), Path("/runs/apart/seed-0")])
    ['plain/seed-0', 'apart/seed-0']
    >>> distinct_names([Path("/runs/a"), Path("/runs/a")])  # one folder twice has no other name
    ['a', 'a']
    """
    parts = [Path(folder).resolve().parts for folder in folders]
    wanted, longest = len(set(parts)), max(map(len, parts), default=0)
    lengths = range(1, longest + 1)
    length = next((length for length in lengths if len({own[-length:] for own in parts}) == wanted), 1)
    return ["/".join(own[-length:]) for own in parts]

"""Short names of folders that a question is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


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

"""Where the data of benchmarks lie: by their names below `$HEADSCOPE_DATA`, or in the repository."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEMO = "src/headscope/demo/passages.txt"
"""The text that comes with headscope."""


def place(name: str) -> Path | None:
    """The file of that name, if it is here."""
    folder = os.environ.get("HEADSCOPE_DATA")
    folders = [ROOT, *([Path(folder)] if folder else [])]
    return next((root / name for root in folders if (root / name).is_file()), None)


def path(name: str) -> Path:
    """The file of that name, which must be here."""
    found = place(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not below HEADSCOPE_DATA ({os.environ.get('HEADSCOPE_DATA')})")
    return found


def missing(names: Sequence[str]) -> list[str]:
    """Those that are not here."""
    return [name for name in names if place(name) is None]


def checksums(names: Sequence[str]) -> dict[str, str]:
    """Of the contents of those that are here."""
    return {
        name: sha256(found.read_bytes()).hexdigest() for name in names if (found := place(name)) is not None
    }

"""The command of a part that keeps its runs in a folder and goes on with them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, show


def command(title: str, about: str | None, run: Callable[..., list[Row]], pieces: Sequence[str] = ()) -> int:
    """Ask from the shell; 1 where a limit is not kept. pieces: of which one alone may be asked for."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--out", type=Path, help="keep the run folders here, and go on with them")
    parser.add_argument("--reduced", action="store_true")
    if pieces:
        parser.add_argument("--only", choices=pieces)
    given: dict[str, Any] = vars(parser.parse_args())
    return 0 if all(row["passed"] for row in show(title, run(**given))) else 1

"""Run folders that are taken back: what was new and holds no work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headscope.results.record import NAME as RECORD


@contextmanager
def withdrawn_without_work(path: Path) -> Iterator[None]:
    """Remove a folder that was new and in which an error or an interruption left no work."""
    is_new = not (path / RECORD).exists()
    try:
        yield
    except BaseException:
        if (
            is_new
            and path.is_dir()
            and {inside.name for inside in path.rglob("*") if inside.is_file()} <= {RECORD}
        ):
            _remove(path)
        raise


def _remove(path: Path) -> None:
    """Remove a run folder, its record last: without it, what is left would be taken for foreign."""
    for inside in path.iterdir():
        if inside.is_dir():
            shutil.rmtree(inside)
    (path / RECORD).unlink(missing_ok=True)
    path.rmdir()
